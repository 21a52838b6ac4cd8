import { expect, it } from "vitest";
import type { CaseView, ViewAnswer } from "../src/api/types";
import { MOST, frozen } from "../src/lib/frozen";

const view = { id: "small", title: "Small & quiet" } as CaseView;
const found = (rows: number): ViewAnswer => ({
  question: "run", title: "Small & quiet", finding: "12 < 20 left.", doubt: "Chance only.", figures: [], notes: ["A note."], made: ["4 runs."],
  tables: [{ name: "a", title: "Outcomes", note: "", parts: [{ heading: "", grid: { columns: ["what", "n"], rows: Array.from({ length: rows }, (_, k) => [`<b>${k}`, "x".repeat(90)]), numbers: 1 } }] }],
  evidence: [{ of: "12", says: "A paper, paragraph 3" }], command: "breakrank run small",
});

it("freezes a view as a page that loads nothing and runs nothing", () => {
  const page = frozen(found(3), view, "<svg></svg>", "http://127.0.0.1:1/#view=happened&case=small", "Cite as: x");
  for (const text of ["12 &lt; 20 left.", "Chance only.", "&lt;b&gt;2", "A paper, paragraph 3", "breakrank run small", "#view=happened&amp;case=small", "<svg></svg>"]) expect(page).toContain(text);
  expect(page).not.toMatch(/<script|<link|src=|127\.0\.0\.1/);
});
it("stays small enough to be sent", () => {
  expect(frozen(found(20_000), view, null, "#", "x").length).toBeLessThan(MOST);
});
