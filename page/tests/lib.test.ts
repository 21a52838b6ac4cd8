import { wrapped } from "../src/lib/wrap";
import { describe, expect, it } from "vitest";
import type { CaseView, Parameter } from "../src/api/types";
import { lines } from "../src/api/stream";
import { area, line } from "../src/charts/paths";
import { csv } from "../src/lib/csv";
import { fromOrdinal, isDay, dayTicks, months, ordinal } from "../src/lib/dates";
import { axis, between, bytes, costs, interval, number, percent, seconds, span } from "../src/lib/format";
import { missed } from "../src/charts/tables";
import examples from "./numbers.json";
import { ticks, within } from "../src/lib/scale";
import { motives } from "../src/lib/terms";
import { typedNumber, typedWhole, typedWithin } from "../src/lib/typed";
import { HOME, read, written } from "../src/state/hash";
import {
  asPut, baseline, changes, isChanged, keyOf, onDay, restored, timeline, titleOf, told, unchanged, unchangedCalled, underValidDraws, withCounterfactuals, withDraws, withEvent, withValue, withoutEvent,
} from "../src/state/question";
import { disputed, sides, when } from "../src/ui/sides";
import { scaleOf, shade } from "../src/ui/slide";
import { frozen } from "./frozen";

const parameter = (name: string, low = 0, high = 1): Parameter => ({
  name, about: "a thing", theory: null, unit: "share", low, high, least: low, most: high, value: 0.5, scope: "national",
  prior: { text: "uniform", q: Array.from({ length: 21 }, (_, k) => low + ((high - low) * k) / 20) }, posterior: null,
  evidence: [], assumed: "so", about_value: null,
});
const view = frozen({
  id: "small", title: "Small", start: "2025-01-01", end: "2025-06-30", strength: 100,
  events: [{ id: "oath", date: "2025-02-01", title: "Oath" }, { id: "convoy", date: "2025-03-01", title: "Convoy" }],
  counterfactuals: [
    {
      id: "no-oath", title: "No oath", question: "?", literature: null, changes: [], set: { "fear.weight": 0.1 }, without: ["oath"], without_effects: [],
      events: [{ id: "vow", date: "2025-02-02", title: "A vow" }],
    },
  ],
  parameters: { default: "values", choices: ["values", "posterior"] },
  mechanisms: [{ name: "fear", about: "", subsystem: 3, subsystem_label: "fear", switch: "fear.on", parameters: [parameter("fear.weight"), parameter("fear.on")] }],
  // As the server gives it, with lists that a question could be tempted to share.
  baseline: { case: "small", seed: 0, runs: 40, counterfactuals: [], set: {}, events: [], without_events: [], until: null, parameters: null, places: {}, funds: {} },
  sites: [{ id: "hotel", label: "Hotel", kind: "hotel", capacity: 250 }],
  payers: [{ id: "state", label: "The state", funds: 500 }, { id: "parish", label: "Parish", funds: null }],
}) as unknown as CaseView;

describe("questions", () => {
  it("moves, removes, adds and restores events", () => {
    const first = baseline(view);
    const moved = withEvent(first, { id: "oath", date: "2025-04-01", title: "Oath" }, view);
    expect(moved.without_events).toEqual(["oath"]);
    expect(timeline(moved, view).map((d) => `${d.event.id} ${d.state}`)).toEqual(["convoy as given", "oath moved"]);
    expect(changes(moved, view, String).map(told)).toEqual(["Oath, moved from 1 Feb to 1 Apr"]);
    const believed = withEvent(first, { id: "oath", date: "2025-04-01", title: "Oath", effects: [{ field: "host_reputation", op: "set", value: 1 }] }, view);
    expect(changes(believed, view, String).map(told)).toEqual(["Oath, moved from 1 Feb to 1 Apr, host reputation 1"]);
    expect(restored(moved, "oath")).toEqual(first);
    const gone = withoutEvent(first, "oath", view);
    expect([gone.events, gone.without_events]).toEqual([[], ["oath"]]);
    expect(changes(gone, view, String).map(told)).toEqual(["Oath, removed"]);
    const added = withEvent(first, { id: "new", date: "2025-05-01", title: "New" }, view);
    expect(withoutEvent(added, "new", view)).toEqual(first);
    expect([isChanged(first), isChanged(moved), isChanged(added)]).toEqual([false, true, true]);
  });
  it("moves the last days of an event's effects along, there and back", () => {
    const given = { id: "oath", date: "2025-02-01", title: "Oath", effects: [{ field: "call", op: "add", value: 1, until: "2025-02-01" }, { field: "pay", op: "set", value: 2 }] };
    const held = { ...view, events: [given] } as unknown as CaseView;
    const later = onDay(given, "2025-03-01");
    expect(later.effects?.map((e) => e.until)).toEqual(["2025-03-01", undefined]);
    const moved = withEvent(baseline(held), later, held);
    expect(timeline(moved, held)[0]?.state).toBe("moved");
    expect(withEvent(moved, onDay(later, "2025-02-01"), held)).toEqual(baseline(held));
  });
  it("shows what a named counterfactual does to the events, and takes changes on top of it", () => {
    const asked = withCounterfactuals(baseline(view), ["no-oath"], view);
    const events = (q: typeof asked): string[] => timeline(q, view).map((d) => `${d.event.id} ${d.state} ${d.by ?? "-"}`);
    expect(events(asked)).toEqual(["oath removed No oath", "vow added No oath", "convoy as given -"]);
    expect(changes(asked, view, String)).toHaveLength(1);
    const without = withoutEvent(asked, "vow", view);
    expect(events(without)[1]).toBe("vow removed -");
    expect(restored(without, "vow")).toEqual(asked);
    const back = withEvent(asked, { id: "oath", date: "2025-02-01", title: "Oath" }, view);
    expect([back.events.length, back.without_events]).toEqual([1, []]);
    expect(withCounterfactuals(without, [], view)).toEqual(baseline(view));
    const read_ = read(`#${written(HOME, without, view)}`, view);
    expect([read_.question, read_.dropped]).toEqual([without, []]);
  });
  it("pins what the posterior would draw, at the case's value too", () => {
    const [weight] = view.mechanisms[0]?.parameters ?? [];
    const fitted = { ...(weight as Parameter), posterior: { q: (weight as Parameter).prior?.q ?? [] } };
    const held = { ...view, counterfactuals: [], mechanisms: [{ ...view.mechanisms[0], parameters: [fitted] }], parameters: { default: "posterior", choices: ["posterior", "values"] } } as unknown as CaseView;
    const pinned = withValue(baseline(held), fitted, fitted.value, held);
    expect(pinned.set).toEqual({ "fear.weight": 0.5 });
    expect(withValue(pinned, fitted, null, held)).toEqual(baseline(held));
    expect(withDraws(pinned, "values", held)).toEqual({ ...baseline(held), parameters: "values" });
    expect(withDraws(withDraws(pinned, "values", held), "posterior", held)).toEqual(baseline(held));
    expect(withValue(withDraws(baseline(held), "values", held), fitted, fitted.value, held).set).toEqual({});
  });
  it("keeps the force on both sides of a comparison, and nothing else", () => {
    const asked = { ...baseline(view), set: { "force.strength": 5, "fear.weight": 1 }, counterfactuals: ["no-oath"] };
    expect(unchanged(asked)).toEqual({ ...baseline(view), set: { "force.strength": 5 } });
    expect([unchangedCalled(asked), unchangedCalled(baseline(view))]).toEqual(["the case with this force", "the case as it stands"]);
  });
  it("spells equal questions alike", () => {
    const a = { ...baseline(view), set: { a: 1, b: 2 }, without_events: ["x", "y"] };
    const b = { ...baseline(view), set: { b: 2, a: 1 }, without_events: ["y", "x"] };
    expect(keyOf(a)).toBe(keyOf(b));
    expect(keyOf(a)).not.toBe(keyOf({ ...a, seed: 3 }));
  });
});

describe("evidence", () => {
  const said = (id: string, value: number | null, conflicts: string[], unit = "persons"): unknown => ({ id, source: "s", value, range: null, text: null, unit, conflicts });
  const held = { ...view, observations: { a: said("a", 160_000, ["b", "c"]), b: said("b", 300_000, ["a"]), c: said("c", 123_000, ["a"]), d: said("d", 0.006, [], "share") } } as unknown as CaseView;
  const ids = (found: { behind: { id: string }[]; otherwise: { id: string }[] }): string[] => [found.behind, found.otherwise].map((l) => l.map((o) => o.id).join(""));
  it("stands on the other side where it is cited and disagrees", () => {
    expect(ids(sides(held, ["a", "b"], [], [160_000, 160_000], "soldiers"))).toEqual(["a", "bc"]);
    expect(ids(sides(held, ["a", "b"], [], [200_000, 200_000], "persons"))).toEqual(["ab", "c"]);
    expect(ids(sides(held, ["a", "d"], [], [0.006, 0.006], "share"))).toEqual(["ad", "bc"]);
    expect(ids(sides(held, ["d"], ["c"], null, "share"))).toEqual(["d", "c"]);
    expect([disputed(held, ["d"]), disputed(held, ["b"])]).toEqual([false, true]);
  });
  it("names days, months, years and spans", () => {
    expect([when("2019-03-22"), when("2019-03"), when("2019-01-01/2019-12-31"), when(null)]).toEqual(["22 Mar 2019", "Mar 2019", "1 Jan 2019 to 31 Dec 2019", ""]);
  });
});

describe("links", () => {
  it("of before lead to the view that answers them", () => {
    expect(["look", "ask", "compare", "reception", "life", "take"].map((one) => read(`view=${one}`, view).place.view)).toEqual(["happened", "whatif", "whatif", "plan", "why", "happened"]);
  });
  it("give back what was written", () => {
    const question = {
      ...baseline(view), seed: 7, runs: 12, until: "2025-03-31", counterfactuals: ["no-oath"], set: { "fear.weight": 0.25, "fear.on": 0 },
      events: [{ id: "new", date: "2025-05-01", title: "A & B = c#d" }], without_events: ["convoy"],
      places: { hotel: 400 }, funds: { parish: 12_000.5 },
    };
    const place = { ...HOME, view: "why", run: 2, soldier: 41, shown: { kind: "event", id: "oath" } } as const;
    expect(read(`#${written(place, question, view)}`, view)).toEqual({ place, question, dropped: [] });
    const host = { ...HOME, view: "plan", since: "2025-02-03", until: "2025-03-01", site: "hotel-1", staff: 12, arrivals: 2, level: 95 } as const;
    expect(read(`#${written(host, question, view)}`, view)).toEqual({ place: host, question, dropped: [] });
    expect(read("#from=2031-01-01&staff=-1&arrivals=99&places=hotel=-1&funds=no=5", view).dropped).toEqual(["from", "staff", "arrivals", "places hotel=-1", "funds no=5"]);
  });
  it("leave the case as it is, so that the next one starts from it", () => {
    expect(read("set=fear.weight%3D0.52&with=no-oath&without=convoy", view).question.set).toEqual({ "fear.weight": 0.52 });
    expect(read("", view).question).toEqual({ ...baseline(view), set: {}, counterfactuals: [], without_events: [] });
  });
  it("hold of an event of the case what differs from it, and read those that held all of it", () => {
    const effects = ["call", "pay"].map((field) => ({ field, op: "add", value: 1, until: "2025-02-09" }));
    const oath = { id: "oath", date: "2025-02-01", title: "Oath", about: "What it was, at length. ".repeat(20), effects, evidence: ["a"], assumed: null };
    const held = frozen({ ...view, events: [oath, { id: "convoy", date: "2025-03-01", title: "Convoy" }] }) as unknown as CaseView;
    const moved = withEvent(baseline(held), onDay(oath, "2025-04-01"), held);
    const renamed = withEvent(moved, { id: "convoy", date: "2025-03-01", title: "Trucks", about: "new" }, held);
    const bare = withEvent(renamed, { id: "oath", date: "2025-04-01", title: "Oath" }, held);
    const asked = withCounterfactuals(renamed, ["no-oath"], held);
    for (const question of [moved, renamed, bare, asked]) expect(read(written(HOME, question, held), held)).toEqual({ place: HOME, question, dropped: [] });
    expect(written(HOME, moved, held).length).toBeLessThan(150);
    const old = new URLSearchParams({ without: "oath", events: JSON.stringify(moved.events) }).toString();
    expect(read(old, held).question).toEqual(moved);
  });
  it("drop events that are none, or that are there twice", () => {
    const one = { id: "a", date: "2025-02-01", title: "A" };
    const wrong = [[one, one], [{ as: "nothing", date: "2025-02-01" }], [{ ...one, effects: 5 }], [{ ...one, effects: [{ field: 1 }] }], [{ ...one, evidence: "x" }], [null]];
    for (const events of wrong) expect(read(`events=${encodeURIComponent(JSON.stringify(events))}`, view)).toMatchObject({ question: { events: [] }, dropped: ["events"] });
  });
  it("hold what is open in the view they lead to, and in no other", () => {
    const open = { ...HOME, rows: "site", event: "oath", asOf: "2025-03-01" } as const;
    const found = (["happened", "whatif", "next"] as const).map((name) => read(`#${written({ ...open, view: name }, baseline(view), view)}`, view).place);
    expect(found.map((p) => [p.rows, p.event, p.asOf])).toEqual([["site", null, null], ["parameter", "oath", null], ["parameter", null, "2025-03-01"]]);
    expect(read("evidence=secret:x&level=81&rows=a&event=<b>", view).dropped).toHaveLength(4);
  });
  it("drop what the case does not know or allow", () => {
    const found = read("view=x&as-of=1999-01-01&seed=-1&runs=9999&set=fear.weight=7&set=nothing=1&with=foo,no-oath&without=bar&events=[1]&level=<b>", view);
    expect(found.question).toEqual({ ...baseline(view), counterfactuals: ["no-oath"] });
    expect(found.dropped).toHaveLength(10);
  });
});

describe("numbers and days", () => {
  it("are told with the digits that matter", () => {
    for (const [of, as] of Object.entries({ number, percent, interval, between, span }))
      for (const row of examples[of as keyof typeof examples])
        expect([of, ...row]).toEqual([of, ...row.slice(0, -1), (as as (...given: unknown[]) => string)(...row.slice(0, -1))]);
    expect(number(null)).toBe("–");
    expect([axis(25000), axis(1_500_000), axis(0.25, "share")]).toEqual(["25k", "1.5M", "25%"]);
  });
  it("count days through leap years", () => {
    expect(fromOrdinal(ordinal("2024-02-28") + 1)).toBe("2024-02-29");
    expect([isDay("2025-02-29"), isDay("2024-02-29"), isDay("x"), isDay(3)]).toEqual([false, true, false, false]);
    expect(months("2019-01-01", "2019-12-31", 4).map((m) => m.label)).toEqual(["Jan", "Apr", "Jul", "Oct"]);
    expect(months("2011-11-15", "2012-02-10", 9).map((m) => m.label)).toEqual(["Dec", "2012", "Feb"]);
    expect(dayTicks("1986-02-22", "1986-03-31", 25).map((m) => m.label)).toEqual(["22 Feb", "1 Mar", "8 Mar", "15 Mar", "22 Mar", "29 Mar"]);
    expect(dayTicks("1986-02-22", "1986-03-31", 7).map((m) => m.label)).toEqual(["22 Feb", "8 Mar", "22 Mar"]);
    expect(axis(-100_000)).toBe("−100k");
  });
  it("give axes round tops that hold the largest value", () => {
    for (const most of [0.3, 1, 7, 84, 999, 16_800]) {
      const found = ticks(most, 4);
      expect(found[found.length - 1]).toBeGreaterThanOrEqual(most);
      expect(found.length).toBeLessThanOrEqual(6);
    }
  });
  it("end an axis where its data do, with a tick beside nought", () => {
    expect(within(0, 51_000, 2)).toEqual([0, 50_000]);
    expect(within(-1_200, 51_000, 5)).toEqual([0, 20_000, 40_000]);
    expect(within(-9, 30, 5)).toEqual([0, 10, 20, 30]);
    expect(within(-30, 9, 2).map(Math.abs)).toEqual([20, 0]);
    expect(within(0, 0, 5)).toEqual([0]);
  });
  it("write no formula into a spreadsheet", () => {
    expect(csv(["a", "b"], [["=1+1", 'x"y'], [-3, null]])).toBe('a,b\r\n\'=1+1,"x""y"\r\n-3,\r\n');
  });
});

describe("typed numbers", () => {
  it("are read with their thousands apart", () => {
    for (const text of ["160000", "160,000", "160 000", "160\u202f000", "160,000.0", "1.6e5"]) expect(typedNumber(text).value).toBe(160_000);
    expect([typedNumber("0,25").value, typedNumber("12,5").value, typedNumber(".5").value, typedNumber("−3").value]).toEqual([0.25, 12.5, 0.5, -3]);
  });
  it("are refused where they could be read in two ways", () => {
    for (const text of ["1.234,5", "1.234.567", "1,23,456", "12,34,5", "many", "", "0x10", "1e999", "160,00,0", "267.000", "1.250"]) {
      expect(typedNumber(text).value).toBeNull();
      expect(typedNumber(text).wrong).not.toBe("");
    }
    expect(typedNumber("267.000").wrong).toContain("write 267,000 or 267, please");
    expect(typedNumber("1.250").wrong).toContain("write 1,250 or 1.2500, please");
    expect(["0.025", "1234.567", "1.5"].map((text) => typedNumber(text).value)).toEqual([0.025, 1234.567, 1.5]);
  });
  it("stay within what the model allows", () => {
    expect(typedWithin("1,250", 0, 2, String)).toEqual({ value: null, wrong: "1250 is outside what the model allows: from 0 to 2, please." });
    expect([typedWhole("2,000", 1, 2000).value, typedWhole("2,001", 1, 2000).value, typedWhole("1.5", 1, 9).value]).toEqual([2000, null, null]);
  });
});

describe("drawing", () => {
  const plane = { width: 10, height: 10, days: 3, low: 0, top: 10 };
  it("breaks lines and bands where nothing is known", () => {
    expect(line([0, null, 10], plane)).toBe("M0 10M10 0");
    expect(area([0, 0, null], [5, 5, null], plane)).toBe("M0 5L5 5L5 10L0 10Z");
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

describe("the terms of a decision", () => {
  const term = (name: string, value: number, base = false) => ({ name, about: name, value, base });

  it("keeps the base rate apart from the motives, which stand by weight", () => {
    const found = motives([term("habit", -Math.log(99), true), term("pull", 1), term("fear", -2), term("none", 0)]);
    expect(found.map((t) => t.name)).toEqual(["fear", "pull"]);
  });
});

describe("a text in lines", () => {
  it("is cut between words, loses none, and lets a long word stand alone", () => {
    const text = "dotted: beds that suffice on every day, by incomprehensibilities of assurance";
    for (const room of [60, 140, 400, 2000]) {
      const lines = wrapped(text, room, 12, 500);
      expect(lines.join(" ")).toBe(text);
      expect(lines.every((line) => !line.includes(" ") || 0.58 * 12 * line.length <= room)).toBe(true);
    }
    expect(wrapped(text, 2000)).toHaveLength(1);
  });
});

describe("what is told before a question begins", () => {
  it("is time and memory, and whose speed it is by", () => {
    expect([bytes(3.2e8), bytes(2.64e9)]).toEqual(["400 MB", "2.6 GB"]);
    expect(costs({ seconds: 540, memory: 2.64e9, measured: true })).toBe("about 9 minutes and 2.6 GB of memory");
    expect(costs({ seconds: 41.2, memory: 3e8, measured: false })).toBe("about 42 s and 300 MB of memory, roughly: this case was not run here before");
    expect([5_900, 52_560, 207_180].map((s) => costs({ seconds: s, memory: 4e8, measured: true }).split(" and")[0])).toEqual(["about 98 minutes", "about 15 hours", "about 2 days"]);
    expect([41, 5_900, 52_560].map(seconds)).toEqual(["41 s", "98 minutes", "15 hours"]);
  });
});

describe("runs that were selected to match the record", () => {
  const selected = (until: string) => ({ ...view, parameters: { default: "worlds", choices: ["worlds", "posterior", "values"], selected_until: until } }) as unknown as CaseView;
  const to = selected(view.end);
  const changed = { ...baseline(to), set: { "fear.on": 0 } };
  it("are asked of no change to what they were selected for", () => {
    expect(underValidDraws(baseline(to), to)).toEqual(baseline(to));
    expect(underValidDraws(changed, to)).toEqual({ ...changed, parameters: "posterior" });
    expect(underValidDraws({ ...changed, parameters: "worlds" }, to).parameters).toBe("posterior");
    expect(underValidDraws({ ...changed, parameters: "values" }, to).parameters).toBe("values");
    expect(underValidDraws(baseline(to), to, 2).parameters).toBe("posterior");
    expect(unchanged(underValidDraws(changed, to)).parameters).toBe("posterior");
  });
  it("are asked of a change that acts later", () => {
    const [event] = view.events;
    const without = event && withoutEvent(baseline(to), event.id, to);
    expect(without && [event.date, "1900-01-01"].map((until) => underValidDraws(without, selected(until)).parameters)).toEqual(["posterior", null]);
  });
  it("leave the question as it was put", () => {
    expect(asPut(underValidDraws(changed, to), to)).toEqual(changed);
    expect(asPut({ ...baseline(to), parameters: "posterior" }, to).parameters).toBe("posterior");
  });
});

describe("a figure of the record", () => {
  const days = ["2025-01-01", "2025-01-02"];
  const course = { days, label: "A", unit: "soldiers", runs: 40, record: [], q05: [0, 5], q25: [0, 6], median: [0, 7], q75: [0, 8], q95: [0, 9] };
  const point = (low: number | null, high: number | null, date = "2025-01-02") => ({ date, low, high, label: "x", target: "x" });
  it("is missed where the spread of its day leaves it out, ends included", () => {
    expect([point(9, 9), point(5, 5), point(null, 5), point(9, null), point(1, 6)].map((p) => missed(p, course))).toEqual([false, false, false, false, false]);
    expect([point(10, 10), point(4, 4), point(null, 4), point(10, null)].map((p) => missed(p, course))).toEqual([true, true, true, true]);
    expect(missed(point(99, 99, "2026-01-01"), course)).toBe(false);
  });
});

it("names an assumption with its days as the page tells them", () => {
  const added = { ...parameter("events.oath"), about: "added to credibility from 2019-01-23 on: The challenger takes the oath" };
  expect(titleOf(added)).toBe("Added to credibility from 23 Jan 2019 on: The challenger takes the oath");
});
