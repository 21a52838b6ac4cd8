"""A country as data: loading, checking, changing and writing cases, and the evidence behind them."""

from __future__ import annotations

from breakrank.case.case import Case
from breakrank.case.content import Ledger
from breakrank.case.draws import Draws
from breakrank.case.fitting import fits, fitted_to
from breakrank.case.force_spec import ForceSpec, Listing
from breakrank.case.library import case_folder, list_cases, load_case
from breakrank.case.models_base import Calendar
from breakrank.case.models_events import Counterfactual, Effect, Event
from breakrank.case.models_evidence import Observation, Source, Target
from breakrank.case.models_force import Branch, Position, Rank, Region, State
from breakrank.case.models_routes import Crossing, Payer, PlaceFeature, Road, Site
from breakrank.case.posterior import Posterior, read_posterior, write_posterior
from breakrank.case.prior import ParameterValue, Prior
from breakrank.case.tables import Warning_
from breakrank.case.template import new_case
from breakrank.case.warnings import check_case

__all__ = [
    "Branch",
    "Calendar",
    "Case",
    "Counterfactual",
    "Crossing",
    "Draws",
    "Effect",
    "Event",
    "ForceSpec",
    "Ledger",
    "Listing",
    "Observation",
    "ParameterValue",
    "Payer",
    "PlaceFeature",
    "Position",
    "Posterior",
    "Prior",
    "Rank",
    "Region",
    "Road",
    "Site",
    "Source",
    "State",
    "Target",
    "Warning_",
    "case_folder",
    "check_case",
    "fits",
    "fitted_to",
    "list_cases",
    "load_case",
    "new_case",
    "read_posterior",
    "write_posterior",
]
