"""places.geojson: points on the map."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from breakrank.case.models_base import CaseModel, Id, Line, Number
from breakrank.case.slip import SlipError


class PlaceProperties(CaseModel):
    """Name and kind of a point."""

    id: Id = Field(description="short name; for a state or a crossing its id")
    kind: Literal["state", "crossing", "embassy", "site", "destination"] = Field(
        description="what stands there"
    )
    label: Line = Field(description="name shown on the map")


def _position(value: object) -> object:
    """Allow a height as third number, as GeoJSON does, and drop it."""
    if isinstance(value, list | tuple) and len(value) == 3:
        return list(value[:2])
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise SlipError("a position of two numbers is expected", "Write [longitude, latitude].")
    return value


Longitude = Annotated[Number, Field(ge=-180, le=180)]
Latitude = Annotated[Number, Field(ge=-90, le=90)]


class Point(CaseModel):
    """A point of GeoJSON."""

    type: Literal["Point"] = Field(description="Point")
    coordinates: Annotated[tuple[Longitude, Latitude], BeforeValidator(_position)] = Field(
        description="[longitude, latitude]"
    )


class PlaceFeature(CaseModel):
    """A place on the map."""

    type: Literal["Feature"] = Field(description="Feature")
    properties: PlaceProperties = Field(description="id, kind and label")
    geometry: Point = Field(description="a point")
    bbox: tuple[Number, ...] | None = Field(default=None, exclude=True, description="ignored")

    @property
    def id(self) -> str:
        """Short name."""
        return self.properties.id

    @property
    def kind(self) -> str:
        """One of state, crossing, embassy, site, destination."""
        return self.properties.kind

    @property
    def label(self) -> str:
        """Name shown on the map."""
        return self.properties.label

    @property
    def longitude(self) -> float:
        """Degrees east, -180 to 180."""
        return self.geometry.coordinates[0]

    @property
    def latitude(self) -> float:
        """Degrees north, -90 to 90."""
        return self.geometry.coordinates[1]


class PlacesFile(CaseModel):
    """places.geojson."""

    type: Literal["FeatureCollection"] = Field(description="FeatureCollection")
    features: tuple[PlaceFeature, ...] = Field(description="the places, each a point")
    name: str | None = Field(default=None, exclude=True, description="ignored")
    bbox: tuple[Number, ...] | None = Field(default=None, exclude=True, description="ignored")
