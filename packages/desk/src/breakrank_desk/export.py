"""What the desk knows for other tools: W3C Web Annotations (positions only) and PROV-JSON.

No word of a source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from breakrank_desk.desk import Desk


def web_annotations(desk: Desk) -> dict[str, Any]:
    """Return a page of Web Annotations (JSON-LD).

    Each observation, and the words of the source it rests on.
    """
    texts = desk.library.entries()
    items = []
    for name, anchor in sorted(desk.store.anchors().items()):
        entry = texts.get(anchor.source, {})
        items.append(
            {
                "id": f"urn:breakrank:annotation:{name}",
                "type": "Annotation",
                "motivation": "identifying",
                "body": {"id": f"urn:breakrank:observation:{name}", "type": "Dataset"},
                "target": {
                    "source": f"urn:sha256:{entry.get('sha256', '')}",
                    "selector": {
                        "type": "FragmentSelector",
                        "conformsTo": "urn:breakrank:words-of-a-paragraph",
                        "value": f"paragraph={anchor.hash}&words={anchor.words[0]},{anchor.words[1]}",
                    },
                    "state": {
                        "type": "HttpRequestState",
                        "value": f"span={anchor.span_hash};context={anchor.context_hash}",
                    },
                },
            }
        )
    return {
        "@context": "http://www.w3.org/ns/anno.jsonld",
        "id": f"urn:breakrank:case:{desk.context.folder.name}:annotations",
        "type": "AnnotationPage",
        "items": items,
    }


def provenance(desk: Desk) -> dict[str, Any]:
    """Return PROV-JSON.

    Observations derived from sources by decisions of people, with proposers as software agents.
    """
    ledger, p = desk.context.ledger, "br:"
    entities: dict[str, Any] = {}
    derived: dict[str, Any] = {}
    generated: dict[str, Any] = {}
    activities: dict[str, Any] = {}
    agents: dict[str, Any] = {}
    associated: dict[str, Any] = {}
    for k, d in enumerate(desk.store.in_force().values()):
        if not d.observation or d.observation not in ledger.observations:
            continue
        o = ledger.observations[d.observation]
        act, who, what = (
            f"{p}decision-{k}",
            f"{p}person-{d.by or 'unknown'}",
            f"{p}proposer-{d.proposer or 'human'}",
        )
        entities[p + o.id] = {"prov:type": "br:Observation"}
        activities[act] = {
            "prov:startTime": d.at,
            "prov:endTime": d.at,
            "br:verb": d.verb,
            "br:changed": ", ".join(d.changed),
        }
        agents[who] = {"prov:type": "prov:Person"}
        agents[what] = {"prov:type": "prov:SoftwareAgent"}
        generated[f"_:g{k}"] = {"prov:entity": p + o.id, "prov:activity": act, "prov:time": d.at}
        derived[f"_:d{k}"] = {"prov:generatedEntity": p + o.id, "prov:usedEntity": p + o.source}
        associated[f"_:a{k}"] = {"prov:activity": act, "prov:agent": who}
        associated[f"_:b{k}"] = {"prov:activity": act, "prov:agent": what}
        source = ledger.sources[o.source]
        entities[p + source.id] = {
            "prov:type": "br:Source",
            "br:publisher": source.publisher,
            "br:date": source.date,
        }
        if source.copy_of:
            entities.setdefault(p + source.copy_of, {"prov:type": "br:Source"})
            derived[f"_:c{k}"] = {
                "prov:generatedEntity": p + source.id, "prov:usedEntity": p + source.copy_of,
                "prov:type": "prov:Quotation",
            }  # fmt: skip
    return {
        "prefix": {"br": "urn:breakrank:", "prov": "http://www.w3.org/ns/prov#"},
        "entity": entities, "activity": activities, "agent": agents, "wasGeneratedBy": generated,
        "wasDerivedFrom": derived, "wasAssociatedWith": associated,
    }  # fmt: skip
