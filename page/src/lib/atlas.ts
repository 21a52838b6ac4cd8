import { geoArea, geoAzimuthalEqualArea, geoBounds, geoContains, geoDistance, geoPath } from "d3-geo";
import type { Feature, GeometryCollection, MultiPolygon, Polygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection as Areas, Topology } from "topojson-specification";
import type { Geo } from "../api/types";

export type Shape = Feature<Polygon | MultiPolygon>;
export interface Area {
  name: string;
  country: string;
  code: string;
  shape: Shape;
}
export type Lines = Parameters<ReturnType<typeof geoPath>>[0];

/** The areas of one object of the borders: `states` or `lands`. */
export function areas(geo: Geo, object: "states" | "lands"): Area[] {
  const topology = geo.topology as unknown as Topology | undefined;
  const found = topology?.objects[object];
  if (!topology || !found) return [];
  return feature(topology, found as Areas<{ n?: string; c?: string; i?: string }>)
    .features.filter((one): one is Feature<Polygon | MultiPolygon, { n?: string; c?: string; i?: string }> => /Polygon$/.test(one.geometry?.type ?? ""))
    .map((one) => ({ name: one.properties?.n ?? "", country: one.properties?.c ?? "", code: one.properties?.i ?? "", shape: wound(one) }));
}

/** The dashed lines or the rivers, whatever GeoJSON they stand in. */
export function linesOf(geo: Geo, what: "lines" | "rivers" = "lines"): Lines[] {
  const found = geo[what];
  if (!found) return [];
  return ("features" in found ? found.features.map((one) => one.geometry) : [found]) as Lines[];
}

// On a sphere a ring bounds what lies on its right; a ring wound the other way would be all the rest of the world.
function wound(shape: Shape): Shape {
  const { geometry } = shape;
  const whole = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.coordinates;
  const turned = whole.map((rings) => (geoArea({ type: "Polygon", coordinates: rings }) > 2 * Math.PI ? rings.map((ring) => [...ring].reverse()) : rings));
  return { ...shape, geometry: { type: "MultiPolygon", coordinates: turned } };
}

export interface Frame {
  width: number;
  height: number;
  at: (lon: number, lat: number) => [number, number];
  path: (shape: Lines) => string;
  /** Whether a point of the frame lies in an area. */
  within: (area: Area, x: number, y: number) => boolean;
  bounds: (area: Area) => { left: number; top: number; right: number; bottom: number; middle: [number, number] } | null;
  /** Kilometres of a pixel in the middle. */
  kilometres: number;
}

const EARTH = 6371;

/** An equal-area projection with its centre in these places, fitted into a frame and cut at its edge. */
export function framed(shapes: Area[], points: [number, number][], width: number, height: number, pad: number): Frame {
  const all: GeometryCollection = { type: "GeometryCollection", geometries: [...shapes.map((s) => s.shape.geometry), { type: "MultiPoint", coordinates: widened(points) }] };
  const [[west, south], [east, north]] = geoBounds(all);
  const inner: [[number, number], [number, number]] = [[pad, pad], [Math.max(pad + 1, width - pad), Math.max(pad + 1, height - pad)]];
  const projection = geoAzimuthalEqualArea().rotate([-(west + east) / 2, -(south + north) / 2]).fitExtent(inner, all).clipExtent([[-1, -1], [width + 1, height + 1]]);
  const draw = geoPath(projection).digits(1);
  const back = (x: number, y: number): [number, number] => projection.invert?.([x, y]) ?? [0, 0];
  return {
    width,
    height,
    at: (lon, lat) => {
      const [x, y] = projection([lon, lat]) ?? [0, 0];
      return [Math.round(10 * x) / 10, Math.round(10 * y) / 10];
    },
    path: (shape) => draw(shape) ?? "",
    within: (area, x, y) => geoContains(area.shape, back(x, y)),
    bounds: (area) => {
      const [[left, top], [right, bottom]] = draw.bounds(area.shape);
      return Number.isFinite(left) && right > left ? { left, top, right, bottom, middle: draw.centroid(area.shape) } : null;
    },
    kilometres: (EARTH * geoDistance(back(width / 2 - 20, height / 2), back(width / 2 + 20, height / 2))) / 40,
  };
}

// One place alone has no extent to fit: it gets a degree around it.
function widened(points: [number, number][]): [number, number][] {
  const [first] = points;
  if (!first || points.some(([lon, lat]) => Math.hypot(lon - first[0], lat - first[1]) > 1e-3)) return points;
  return [[first[0] - 0.5, first[1] - 0.5], [first[0] + 0.5, first[1] + 0.5]];
}

/** A round length for a scale bar of at most so many pixels. */
export function scaleBar(kilometres: number, most: number): { km: number; width: number } {
  const long = kilometres * most;
  const power = 10 ** Math.floor(Math.log10(long));
  const km = ([5, 2, 1].find((s) => s * power <= long) ?? 1) * power;
  return { km: Number(km.toPrecision(3)), width: km / kilometres };
}

/** Where a name of so many pixels may stand so that it lies in an area and in the frame, the middle first. */
export function inside(area: Area, frame: Frame, wide: number): [number, number][] {
  const box = frame.bounds(area);
  if (!box || box.right - box.left < wide) return [];
  const found: [number, number][] = [];
  const STEPS = 12;
  for (let row = 1; row < STEPS; row += 1)
    for (let column = 1; column < STEPS; column += 1) {
      const x = box.left + ((box.right - box.left) * column) / STEPS;
      const y = box.top + ((box.bottom - box.top) * row) / STEPS;
      if ([-0.5, 0, 0.5].every((part) => frame.within(area, x + part * wide, y))) found.push([Math.round(x), Math.round(y)]);
    }
  const [mx, my] = box.middle;
  return found.sort((a, b) => Math.hypot(a[0] - mx, a[1] - my) - Math.hypot(b[0] - mx, b[1] - my));
}
