import { describe, expect, it } from "vitest";
import type { Ahead, CaseView, ViewAnswer } from "$page/api/types";
import { compared, counts, placed, table, withFigures } from "./ahead";
import type { Member, Quantity } from "./types";

const count = (head: string, date: string, low: number, median: number, high: number, measure = "registered", label = "Registered"): Ahead => (
  { label, head, date, measure, low, median, high, model: median + 1 });
const AHEAD = [
  count("by 7 Mar 2019", "2019-03-07", 500, 700, 900), count("by 27 Mar 2019", "2019-03-27", 700, 1000, 1300),
  count("by 31 Dec 2019", "2019-12-31", 800, 2000, 4000), count("by 7 Mar 2019", "2019-03-07", 10, 20, 30, "persons_in_sites", "Persons in sites"),
  { label: "Regime in place", head: "by 31 Dec 2019", chance: 0.85 }, { label: "An uprising", head: "by 31 Dec 2019", chance: 0.5 },
];
const AS_OF = "2019-02-28";
const member = (more: Partial<Member>): Member => ({
  id: "one", text: null, what: "Soldiers on the register", value: null, range: null, bound: null, unit: "soldiers", date: "2019-03-07", first: "2019-03-07",
  last: "2019-03-07", says: "the mayor", place: null, source: "r000", confidence: "low", cited: [], low: null, high: null, parent: "r000", ...more,
});
const exactly = (value: number, last = "2019-03-07"): Member => member({ value, low: value, high: value, last });
const answer = (as_of: string, ahead: Ahead[]): ViewAnswer => ({
  question: "forecast", title: "", finding: "f", doubt: "d", tables: [], notes: [], evidence: [], made: [], command: "", as_of, ahead,
  figures: [{
    id: "ahead", title: "Registered, ahead of 2019-02-28", note: "median", sentence: "", size: "wide", table: { columns: [], rows: [[1], [1], [1]] },
    panels: [{ id: "p", alt: "", spec: { height: 60, datasets: { d: {} }, layer: [{ data: { name: "d" }, mark: "point", encoding: { x: {}, y: { sort: [] } } }] } }],
  }],
});

describe("where an accepted figure falls in a forecast", () => {
  it("is told by the pool's 90% interval", () => {
    expect(placed(exactly(1240), "registered", AHEAD, AS_OF).says).toBe("The 1,240 of 7 Mar 2019 lies above the forecast's 90% interval (500 to 900).");
    const lies = (one: Partial<Member>): string => placed(member(one), "registered", AHEAD, AS_OF).lies;
    expect(lies({ value: 499, low: 499, high: 499 })).toBe("below");
    expect(lies({ value: 900, low: 900, high: 900 })).toBe("within");
    expect(lies({ range: [850, 950], low: 850, high: 950 })).toBe("overlaps");
    expect(lies({ value: 26, bound: "at_least", low: 26, high: null })).toBe("agrees with");
    expect(lies({ value: 1000, bound: "at_least", low: 1000, high: null })).toBe("above");
    expect(lies({ value: 90, bound: "at_most", low: null, high: 90 })).toBe("below");
  });
  it("is told between two days on a straight line, and before the first day by that one", () => {
    const middle = placed(exactly(1100, "2019-03-17"), "registered", AHEAD, AS_OF);
    expect([middle.low, middle.median, middle.high, middle.model, middle.lies]).toEqual([600, 850, 1100, 851, "within"]);
    expect(placed(exactly(1100, "2019-03-02"), "registered", AHEAD, AS_OF).high).toBe(900);
  });
  it("says why where it falls nowhere", () => {
    expect(placed(exactly(5, AS_OF), "registered", AHEAD, AS_OF).says).toContain("is not after the forecast's day, 28 Feb 2019");
    expect(placed(exactly(5, "2020-01-01"), "registered", AHEAD, AS_OF).says).toContain("after the last day");
    expect(placed(exactly(5), "", AHEAD, AS_OF).says).toContain("say what it counts");
  });
  it("is what its quantity counts in the record, or is named after", () => {
    const of = (id: string, members: Member[]): Quantity => ({ id, members, label: "", unit: "", reading: "", figures: 1, parents: 1, agreeing: 1, conflicts: [] });
    const view = { targets: [{ measure: "persons_in_sites", by: null, evidence: ["two"] }] } as unknown as CaseView;
    const one = exactly(5);
    expect(counts(one, [of("hotel", [one, member({ id: "two" })])], view, AHEAD)).toBe("persons_in_sites");
    expect(counts(one, [of("registered-colombia", [one])], view, AHEAD)).toBe("registered");
    expect(counts(one, [of("hotel", [one])], view, AHEAD)).toBe("");
    expect(counts(one, [], view, AHEAD)).toBe("");
  });
  it("stands on a chart of what it counts, in a row, in words and with its source", () => {
    const all = [placed(exactly(1240, "2019-03-17"), "registered", AHEAD, AS_OF), placed(exactly(25), "persons_in_sites", AHEAD, AS_OF)];
    const found = withFigures(answer(AS_OF, AHEAD), all, null);
    expect(found.figures.map((one) => one.title)).toEqual(["Registered, ahead of 2019-02-28", "Persons in sites, ahead of 2019-02-28"]);
    const spec = found.figures[0]?.panels[0]?.spec;
    expect(spec?.height).toBe(80);
    expect((spec?.datasets?.d as { label: string }[]).map((row) => row.label)).toEqual(["by 7 Mar 2019", "on 17 Mar 2019", "by 27 Mar 2019", "by 31 Dec 2019"]);
    expect(spec?.datasets?.accepted).toMatchObject([{ label: "on 17 Mar 2019", value: 1240 }]);
    expect(found.tables[0]?.parts[0]?.grid.rows[0]).toEqual(["1,240 soldiers", "Registered", "above", "17 Mar 2019", "between 7 Mar and 27 Mar 2019", "850 (600 to 1,100)", "851"]);
    expect(found.notes[0]).toContain("lies above");
    expect(found.evidence[0]).toEqual({ of: "Accepted: Soldiers on the register, 1,240 soldiers", says: "the mayor, in r000" });
    expect(withFigures(answer(AS_OF, AHEAD), [], null)).toEqual(answer(AS_OF, AHEAD));
  });
});

describe("a forecast that takes figures in", () => {
  const taken = [placed(exactly(1240), "registered", AHEAD, AS_OF)];
  it("is given them as a table", () => {
    const bound = placed(member({ value: 26, bound: "at_least", low: 26 }), "registered", AHEAD, AS_OF);
    const range = placed(member({ range: [950, 1000], low: 950, high: 1000 }), "persons_in_sites", AHEAD, AS_OF);
    expect(table([...taken, bound, range]).split("\r\n")).toEqual([
      "date,measure,figure,source", "2019-03-07,registered,1240,the mayor (r000)", "2019-03-07,registered,at least 26,the mayor (r000)",
      "2019-03-07,persons_in_sites,950 to 1000,the mayor (r000)", "",
    ]);
  });
  it("is laid beside the one before on the days of both, in at most 25 words", () => {
    const later = [count("by 31 Dec 2019", "2019-12-31", 1300, 1900, 2800), count("by 14 Mar 2019", "2019-03-14", 1, 2, 3), { label: "Regime in place", head: "by 31 Dec 2019", chance: 0.8 }, { label: "An uprising", head: "by 31 Dec 2019", chance: 0.1 }];
    const found = compared(answer(AS_OF, AHEAD), answer("2019-03-07", later), taken);
    expect(found.says).toBe("With the 1,240 of 7 Mar 2019, registered by 31 Dec 2019 goes from 2,000 (90% 800 to 4,000) to 1,900 (1,300 to 2,800).");
    expect(found.says.split(" ").length).toBeLessThanOrEqual(25);
    const bound = placed(member({ value: 26, bound: "at_least", low: 26 }), "registered", AHEAD, AS_OF);
    const says = (label: string): string => {
      const named = (ahead: Ahead[]): Ahead[] => ahead.map((one) => ({ ...one, label: one.label === "Registered" ? label : one.label }));
      return compared(answer(AS_OF, named(AHEAD)), answer(AS_OF, named(later)), [{ ...bound, label }]).says;
    };
    expect(says("Registered")).toMatch(/^With at least 26 on 7 Mar 2019, registered by/);
    expect(says("Soldiers who left the country")).toMatch(/^With it, soldiers who left the country by/);
    expect(found.table.parts[0]?.grid.rows).toEqual([["Registered", "31 Dec 2019", "2,000 (800 to 4,000)", "1,900 (1,300 to 2,800)"], ["Regime in place", "31 Dec 2019", "85%", "80%"]]);
    expect(found.table.note).toContain("Before is as of 28 Feb 2019, after as of 7 Mar 2019");
    expect(compared(answer(AS_OF, AHEAD), answer(AS_OF, AHEAD), taken).table.parts[0]?.grid.rows).toHaveLength(6);
  });
});
