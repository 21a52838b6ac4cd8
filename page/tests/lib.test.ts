import { describe, expect, it } from "vitest";
import type { CaseView, Parameter } from "../src/api/types";
import { lines } from "../src/api/stream";
import { area, line } from "../src/charts/paths";
import { csv } from "../src/lib/csv";
import { fromOrdinal, isDay, months, ordinal } from "../src/lib/dates";
import { axis, number, percent } from "../src/lib/format";
import { ticks } from "../src/lib/scale";
import { squarify } from "../src/lib/squarify";
import { read, written } from "../src/state/hash";
import { baseline, isChanged, keyOf, restored, timeline, unchanged, withEvent, withoutEvent } from "../src/state/question";
import { scaleOf, shade } from "../src/ui/slide";

const parameter = (name: string, low = 0, high = 1): Parameter => ({
  name, about: "a thing", theory: null, unit: "share", low, high, least: low, most: high, value: 0.5, scope: "national",
  prior: { text: "uniform", q: Array.from({ length: 21 }, (_, k) => low + ((high - low) * k) / 20) }, posterior: null,
  evidence: [], assumed: "so", about_value: null,
});
const view = {
  id: "small", title: "Small", start: "2025-01-01", end: "2025-06-30", strength: 100,
  events: [{ id: "oath", date: "2025-02-01", title: "Oath" }, { id: "convoy", date: "2025-03-01", title: "Convoy" }],
  counterfactuals: [{ id: "no-oath", title: "No oath", question: "?", literature: null }],
  mechanisms: [{ name: "fear", about: "", subsystem: 3, subsystem_label: "fear", switch: "fear.on", parameters: [parameter("fear.weight"), parameter("fear.on")] }],
  baseline: { case: "small", runs: 40 },
} as unknown as CaseView;

describe("questions", () => {
  it("moves, removes, adds and restores events", () => {
    const first = baseline(view);
    const moved = withEvent(first, { id: "oath", date: "2025-04-01", title: "Oath" }, view);
    expect(moved.without_events).toEqual(["oath"]);
    expect(timeline(moved, view).map((d) => `${d.event.id} ${d.state}`)).toEqual(["convoy as given", "oath moved"]);
    expect(restored(moved, "oath")).toEqual(first);
    const gone = withoutEvent(first, "oath", view);
    expect([gone.events, gone.without_events]).toEqual([[], ["oath"]]);
    const added = withEvent(first, { id: "new", date: "2025-05-01", title: "New" }, view);
    expect(withoutEvent(added, "new", view)).toEqual(first);
    expect([isChanged(first), isChanged(moved), isChanged(added)]).toEqual([false, true, true]);
  });
  it("keeps the force on both sides of a comparison, and nothing else", () => {
    const asked = { ...baseline(view), set: { "force.strength": 5, "fear.weight": 1 }, counterfactuals: ["no-oath"] };
    expect(unchanged(asked)).toEqual({ ...baseline(view), set: { "force.strength": 5 } });
  });
  it("spells equal questions alike", () => {
    const a = { ...baseline(view), set: { a: 1, b: 2 }, without_events: ["x", "y"] };
    const b = { ...baseline(view), set: { b: 2, a: 1 }, without_events: ["y", "x"] };
    expect(keyOf(a)).toBe(keyOf(b));
    expect(keyOf(a)).not.toBe(keyOf({ ...a, seed: 3 }));
  });
});

describe("links", () => {
  it("give back what was written", () => {
    const question = {
      ...baseline(view), seed: 7, runs: 12, until: "2025-03-31", counterfactuals: ["no-oath"], set: { "fear.weight": 0.25, "fear.on": 0 },
      events: [{ id: "new", date: "2025-05-01", title: "A & B = c#d" }], without_events: ["convoy"],
    };
    const place = { view: "life", day: "2025-02-03", by: "branch", daily: true, run: 2, soldier: 41, story: null } as const;
    expect(read(`#${written(place, question, view)}`, view)).toEqual({ place, question, dropped: [] });
  });
  it("drop what the case does not know or allow", () => {
    const found = read("view=x&day=1999-01-01&seed=-1&runs=9999&set=fear.weight=7&set=nothing=1&with=foo,no-oath&without=bar&events=[1]&by=<b>", view);
    expect(found.question).toEqual({ ...baseline(view), counterfactuals: ["no-oath"] });
    expect(found.dropped).toHaveLength(10);
  });
});

describe("numbers and days", () => {
  it("are told with the digits that matter", () => {
    expect([number(12345.6), number(3.26), number(0.0346), number(null)]).toEqual(["12,346", "3.3", "0.035", "–"]);
    expect([percent(0.5), percent(0.0123), percent(0)]).toEqual(["50%", "1.2%", "0%"]);
    expect([axis(25000), axis(1_500_000), axis(0.25, "share")]).toEqual(["25k", "1.5M", "25%"]);
  });
  it("count days through leap years", () => {
    expect(fromOrdinal(ordinal("2024-02-28") + 1)).toBe("2024-02-29");
    expect([isDay("2025-02-29"), isDay("2024-02-29"), isDay("x"), isDay(3)]).toEqual([false, true, false, false]);
    expect(months("2019-01-01", "2019-12-31", 4).map((m) => m.label)).toEqual(["Jan", "Apr", "Jul", "Oct"]);
  });
  it("give axes round tops that hold the largest value", () => {
    for (const most of [0.3, 1, 7, 84, 999, 16_800]) {
      const found = ticks(most, 4);
      expect(found[found.length - 1]).toBeGreaterThanOrEqual(most);
      expect(found.length).toBeLessThanOrEqual(6);
    }
  });
  it("write no formula into a spreadsheet", () => {
    expect(csv(["a", "b"], [["=1+1", 'x"y'], [-3, null]])).toBe('a,b\r\n\'=1+1,"x""y"\r\n-3,\r\n');
  });
});

describe("drawing", () => {
  const plane = { width: 10, height: 10, days: 3, low: 0, top: 10 };
  it("breaks lines and bands where nothing is known", () => {
    expect(line([0, null, 10], plane)).toBe("M0 10M10 0");
    expect(area([0, 0, null], [5, 5, null], plane)).toBe("M0 5L5 5L5 10L0 10Z");
  });
  it("fills a treemap's frame with areas in proportion", () => {
    const weights = [6, 6, 4, 3, 2, 2, 1, 0];
    const boxes = squarify(weights, { x: 0, y: 0, width: 6, height: 4 });
    boxes.forEach((b, k) => expect(b.width * b.height).toBeCloseTo(weights[k] ?? 0, 9));
    expect(Math.max(...boxes.slice(0, 7).map((b) => Math.max(b.width / b.height, b.height / b.width)))).toBeLessThan(3);
  });
  it("puts a slider's values where they can be set, and back", () => {
    for (const one of [parameter("a"), parameter("b", 0, 100), parameter("c", -2, 2)]) {
      const scale = scaleOf(one);
      for (const at of [0, 0.2, 0.9, 1]) expect(scale.at(scale.value(at))).toBeCloseTo(at, 9);
      expect(shade(one, scale, "prior")).toMatch(/^M0 16L/);
    }
  });
});

it("reads a stream whatever its pieces", async () => {
  const pieces = ['{"a":1}\n{"b"', ":2}\n", "\n{\"c\":3}"].map((t) => new TextEncoder().encode(t));
  const found: unknown[] = [];
  const stream = new ReadableStream<Uint8Array>({ start: (c) => { pieces.forEach((p) => c.enqueue(p)); c.close(); } });
  for await (const one of lines(stream)) found.push(one);
  expect(found).toEqual([{ a: 1 }, { b: 2 }, { c: 3 }]);
});
