"""The commands of the desk by name; none is imported before it is called."""

from __future__ import annotations

from cyclopts import App

desk = App(name="desk", help="Code reports: read, propose, accept.", help_flags=["--help", "-h"])
desk.command(
    "breakrank_desk.cli.coding:read", name="read", help="Read reports; store hashes of their paragraphs."
)
desk.command(
    "breakrank_desk.cli.coding:propose", name="propose", help="List the figures that await a decision."
)
desk.command("breakrank_desk.cli.coding:accept", name="accept", help="Write a proposal into the ledger.")
desk.command("breakrank_desk.cli.coding:edit", name="edit", help="Change what was accepted.")
desk.command("breakrank_desk.cli.coding:reject", name="reject", help="Mark a proposal as not for the ledger.")
desk.command("breakrank_desk.cli.coding:later", name="later", help="Put a proposal off.")
desk.command("breakrank_desk.cli.coding:undo", name="undo", help="Take back a decision and its observation.")
desk.command(
    "breakrank_desk.cli.review:links", name="links", help="Show copies, versions and shared quotations."
)
desk.command(
    "breakrank_desk.cli.review:conflicts", name="conflicts", help="Show figures that contradict each other."
)
desk.command(
    "breakrank_desk.cli.review:questions", name="questions", help="Show open questions for you to decide."
)
for _name, _help in (
    ("confirm", "Note that a report is a copy of another."),
    ("settle", "Note that two observations conflict."),
    ("answer", "Close an open question."),
    ("kind", "Show or set what a paragraph is."),
):
    desk.command(f"breakrank_desk.cli.settle:{_name}", name=_name, help=_help)
desk.command(
    "breakrank_desk.cli.review:feed", name="feed", help="Write a quantity as a target, field or prior."
)
desk.command(
    "breakrank_desk.cli.review:check", name="check", help="Check references, names, copied words, hashes."
)
desk.command("breakrank_desk.cli.review:export", name="export", help="Print Web Annotations or PROV-JSON.")
desk.command(
    "breakrank_desk.cli.review:measure", name="measure", help="Measure the desk against a known ledger."
)
