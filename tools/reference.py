"""Write the pages of the reference that are committed; building the documentation writes them too."""

from __future__ import annotations

from pathlib import Path

from breakrank.answer.reference import reference
from breakrank.questions.declared import QUESTIONS
from breakrank.runs.reference import PAGES, page

FOLDER = Path(__file__).parents[1] / "docs" / "reference" / "generated"

if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        (FOLDER / f"{name}.inc.md").write_text(page(name), encoding="utf-8")
    (FOLDER / "questions.inc.md").write_text("\n".join(reference(QUESTIONS)) + "\n", encoding="utf-8")
