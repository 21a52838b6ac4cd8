"""The commands of the desk by name; none is imported before it is called."""

from __future__ import annotations

from cyclopts import App

_COMMANDS = {
    "coding": {
        "read": "Read reports; store hashes of their paragraphs.",
        "propose": "List the figures that await a decision.",
        "accept": "Write a proposal into the ledger.",
        "edit": "Change what was accepted.",
        "reject": "Mark a proposal as not for the ledger.",
        "later": "Put a proposal off.",
        "undo": "Take back a decision and its observation.",
    },
    "review": {
        "links": "Show copies, versions and shared quotations.",
        "conflicts": "Show figures that contradict each other.",
        "questions": "Show open questions for you to decide.",
        "confirm": "Note that a report is a copy of another.",
        "settle": "Note that two observations conflict.",
        "answer": "Close an open question.",
        "kind": "Show or set what a paragraph is.",
        "feed": "Write a quantity as a target, field or prior.",
        "check": "Check references, names, copied words, hashes.",
        "export": "Print Web Annotations or PROV-JSON.",
        "measure": "Measure the desk against a known ledger.",
    },
}
"""By module, the function of each command and its help."""

desk = App(name="desk", help="Code reports: read, propose, accept.", help_flags=["--help", "-h"])
for _module, _commands in _COMMANDS.items():
    for _name, _help in _commands.items():
        desk.command(f"breakrank_desk.cli.{_module}:{_name}", name=_name, help=_help)
