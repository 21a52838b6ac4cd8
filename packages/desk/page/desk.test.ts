import { describe, expect, it } from "vitest";
import type { Figure, Member } from "./types";
import { again, blank, called, given, marks, nextOpen, pieces, spanned, told, typed } from "./coding";

const figure: Figure = {
  key: "r001:ab:4-6:count", kind: "count", paragraph: 0, start: 0, end: 4, words: "some", read: "1,140 to 1,200 soldiers", value: null, range: [1140, 1200],
  bound: null, unit: "soldiers", why: "count", proposer: "breakrank", state: "open", why_decided: "", changed: [], observation: null,
  dates: [{ value: "2031-04-02", why: "published" }, { value: "2031-03", why: "elsewhere" }],
  says: [{ value: "the border service", why: "" }], places: [{ value: "Las Palmas", why: "" }],
};

describe("the form of a figure", () => {
  it("sends only what the reader gave or changed", () => {
    const draft = { ...blank(figure), what: " Counted by the host " };
    expect(given(draft, blank(figure))).toEqual({ what: "Counted by the host" });
    expect(given({ ...draft, date: "2031-03", place: "" }, blank(figure))).toEqual({ what: "Counted by the host", date: "2031-03", place: "" });
  });
  it("takes a figure as a number or an interval, with its bound", () => {
    const draft = blank(figure);
    expect(given({ ...draft, figure: "1,150 to 1,200" }, blank(figure))).toEqual({ range: "1,150..1,200" });
    expect(given({ ...draft, figure: "1150", bound: "at_least" }, blank(figure))).toEqual({ value: "1150", bound: "at_least" });
    expect(typed({ value: 1150, range: null, bound: "at_least" })).toBe("1150");
  });
  it("has what was accepted when it is altered, and sends what was altered", () => {
    const seen = { id: "a", text: null, what: "Counted", value: 30, range: null, bound: "about", unit: "soldiers", date: "2031-04-02", says: "the border service", place: null, source: "r001", confidence: "medium", cited: [] } as const;
    const form = again(seen, "host");
    expect(given({ ...form, figure: "28 to 30" }, form)).toEqual({ range: "28..30" });
    expect(given({ ...form, bound: "", counts: "" }, form)).toEqual({ value: "30", counts: "" });
    expect(told(seen)).toBe("about 30 soldiers");
  });
});

it("takes what a sentence tells as words or as a figure", () => {
  const draft = blank(figure);
  expect(given({ ...draft, figure: "in hotels, 2 a room" }, draft, true)).toEqual({ text: "in hotels, 2 a room" });
  expect(given({ ...draft, figure: "26 - 30" }, draft, true)).toEqual({ range: "26..30" });
  expect(given({ ...draft, figure: "many" }, draft)).toEqual({ value: "many" });
  expect(told({ value: null, range: null, bound: null, unit: "qualitative", text: "in hotels" })).toBe("in hotels");
});

describe("a paragraph in pieces", () => {
  const cut = (text: string, ...spans: [number, number][]) =>
    pieces(text, spans.map(([start, end], at) => ({ start, end, at }))).map((p) => (p.at === null ? p.text : `[${p.at} ${p.text}]`));
  it("holds every character once, whatever overlaps", () => {
    expect(cut("nine of 80 beds", [8, 10], [0, 4])).toEqual(["[1 nine]", " of ", "[0 80]", " beds"]);
    expect(cut("30 to 40", [0, 8], [6, 8])).toEqual(["[0 30 to 40]"]);
    expect(cut("none")).toEqual(["none"]);
    expect(cut("nine of 80", [0, 4], [0, 0])).toEqual(["[1 ]", "[0 nine]", " of 80"]);
  });
  it("counts characters as the server does", () => {
    expect(cut("\u{1F3E8}\u{1F3E8} 80 beds", [3, 5])).toEqual(["\u{1F3E8}\u{1F3E8} ", "[0 80]", " beds"]);
  });
});

it("goes on to what is still open, past the end too", () => {
  const states = (...all: string[]) => all.map((state) => ({ state }));
  expect(nextOpen(states("open", "accepted", "open"), 0)).toBe(2);
  expect(nextOpen(states("open", "accepted", "rejected"), 2)).toBe(0);
  expect(nextOpen(states("accepted", "later"), 0)).toBe(-1);
  expect(nextOpen([], -1)).toBe(-1);
});

it("joins two dates to a span, in their order", () => {
  expect(spanned("2031-02-23", "2031-03-22")).toBe("2031-02-23/2031-03-22");
  expect(spanned("2031-02-23/2031-02-28", "2031-03")).toBe("2031-02-23/2031-03");
  expect(spanned("2031-03-22", "2031-02-23")).toBe("2031-02-23");
});

describe("figures of a quantity over time", () => {
  const one = (id: string, parent: string, day: string, low: number | null, high: number | null): Member => ({
    id, parent, first: day, last: day, low, high, text: null, what: "", value: low, range: null, bound: null, unit: null, date: day, says: null, place: null, source: parent, confidence: null, cited: [],
  });
  const members = [one("a", "r0", "2031-03-01", 10, 20), one("b", "r1", "2031-03-11", 40, null), one("c", "r0", "2031-03-11", null, 30), one("d", "r2", "2031-03-05", null, null)];
  it("are called by their parent", () => {
    expect(Object.fromEntries(called(members))).toEqual({ a: "A1", b: "B", c: "A2", d: "C" });
  });
  it("stand at their day and height, those of one day beside each other, open ends as arrows", () => {
    const drawn = marks(members, 100, 80, 40);
    expect(drawn.map((m) => [m.id, m.x, m.low, m.high, m.open])).toEqual([["a", 0, 60, 40, ""], ["b", 100, 0, -14, "high"], ["c", 86, 34, 20, "low"]]);
    expect(marks([members[0] as Member, { ...(members[0] as Member), id: "e" }], 100, 80, 20).map((m) => m.x)).toEqual([50, 64]);
  });
});
