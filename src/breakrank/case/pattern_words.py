"""The words in which a pattern of lives asks of soldiers and events, beside those of :mod:`.log_words`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

PUT_TOGETHER: Final[Mapping[str, str]] = {
    "took part in an uprising": "commanders who rose and soldiers who followed, on the day; value: how many",
    "his plan was found out": "someone of the plot that he founded was overheard, named, warned or arrested "
    "before it was launched; value: members",
    "rose beside a friend": "took part in a failed uprising that he had plotted with another middle officer "
    "whom he trusts, one of them guarding politicians or in intelligence",
}
"""Events that are no rows of the log but put together from several."""

OF_A_SOLDIER: Final[Mapping[str, str]] = {
    "opposed at the end": "privately opposed on the last day",
    "dependants": "feeds one or more",
    "kin abroad": "has relatives abroad who could take him in",
    "vehicle": "has a vehicle at hand",
    "border post": "serves at a border post",
    "escort duty": "has escort duty",
    "guards a politician": "guards a politician",
    "in intelligence": "serves in an intelligence service",
    "officer": "of a rank group whose academy is that of the officers",
    "lowest officer": "of the lowest rank group of officers",
    "middle officer": "an officer of neither the lowest nor the highest rank group of officers",
    "highest rank": "of the last rank group in force.yaml",
    "sergeant": "of a rank group with an academy for sergeants; without one, between recruits and officers",
}
"""Facts of a soldier."""

OF_AN_EVENT: Final[Mapping[str, str]] = {
    "opposed": "left for the border: privately opposed then",
    "with family": "left for the border: his family came along",
    "from his post": "left for the border: from a posting at the crossing",
    "leading": "left for the border: others came along",
    "following": "left for the border: someone led him",
    "in a group": "left for the border: leading or following",
    "by vehicle": "left for the border: he or whom he followed has a vehicle at hand",
    "from his own state": "the route begins in the state in which he is stationed",
    "closed": "the route was closed that day",
    "beside a shut gate": "in the state of the route a bridge or road was closed that day, and being shot "
    "there likelier than usual",
    "to the host": "the route leads to the host",
    "to the opposition": "the route ends inside the country, with an opposition there",
    "at a site": "he lived at a site that day",
    "low morale": "ran to the border: morale below 0.5",
    "to kin": "moved on: to relatives",
    "rightly": "expelled by the host: as the infiltrator that he was",
    "of the high command": "a pledge made or not kept: as holder of a position of the high command",
    "failed": "took part in an uprising: it did not succeed",
    "pledge not kept": "took part in an uprising: someone who had pledged himself stayed away",
    "to cross": "his plan was found out: a plan to cross with comrades",
    "warned": "his plan was found out: he was warned",
    "overheard": "his plan was found out: by a wiretap",
    "classmate": "rose beside a friend: of the same academy class",
    "friend in an embassy": "rose beside a friend: who was let into an embassy afterwards",
}
"""Facts of an event: of which event, and what is the case."""
