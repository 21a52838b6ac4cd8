import type { Bound, Figure, Member, Observed } from "./types";
import { fromOrdinal, ordinal } from "$page/lib/dates";
import { short } from "$page/lib/format";

/** The form of a figure, as it is typed. */
export interface Draft {
  what: string;
  counts: string;
  figure: string;
  bound: Bound | "";
  unit: string;
  date: string;
  says: string;
  place: string;
  confidence: string;
}

type Read = Pick<Figure, "value" | "range" | "bound">;

/** A figure as it is typed: `1200`, or `1140..1200` for an interval. */
export function typed(one: Read): string {
  if (one.range) return `${one.range[0]}..${one.range[1]}`;
  return one.value === null ? "" : String(one.value);
}

/** The form before anybody touches it: the first of every list, and nothing in words. */
export function blank(one: Figure): Draft {
  return {
    what: "", counts: "", figure: typed(one), bound: one.bound ?? "", unit: one.unit,
    date: one.dates[0]?.value ?? "", says: one.says[0]?.value ?? "", place: one.places[0]?.value ?? "", confidence: "medium",
  };
}

/** The form of what was accepted, to be altered. */
export function again(one: Observed, counts: string): Draft {
  return {
    what: one.what, counts, figure: one.text ?? typed(one), bound: one.bound ?? "", unit: one.unit ?? "", date: one.date,
    says: one.says ?? "", place: one.place ?? "", confidence: one.confidence ?? "medium",
  };
}

/** The fields to send: where the form departs from how it was at first. What a sentence tells need be no figure. */
export function given(draft: Draft, first: Draft, sentence = false): Record<string, string> {
  const out: Record<string, string> = {};
  const names = ["what", "counts", "unit", "date", "says", "place", "confidence"] as const;
  for (const name of names) if (draft[name].trim() !== first[name]) out[name] = draft[name].trim();
  if (draft.figure.trim() !== first.figure || draft.bound !== first.bound) {
    const figure = draft.figure.trim();
    const range = /^([\d.,]+)\s*(?:\.\.|to|a|–|-)\s*([\d.,]+)$/.exec(figure);
    if (range) out.range = `${range[1]}..${range[2]}`;
    else if (figure) out[sentence && /[^\d.,]/.test(figure) ? "text" : "value"] = figure;
    if (draft.bound && out.value) out.bound = draft.bound;
  }
  return out;
}

const BOUNDS = { at_least: "at least ", at_most: "at most ", about: "about " };

/** A figure in words. */
export function told(one: Read & { readonly unit: string | null; readonly text?: string | null }): string {
  if (one.text) return one.text;
  const unit = one.unit ? ` ${one.unit}` : "";
  if (one.range) return `${short(one.range[0])} to ${short(one.range[1])}${unit}`;
  return one.value === null ? "no figure" : `${one.bound ? BOUNDS[one.bound] : ""}${short(one.value)}${unit}`;
}

export interface Piece {
  readonly text: string;
  readonly at: number | null;
}

/**
 * A paragraph in pieces: plain text, and the words of a figure with its place in the list. Of figures that overlap, the
 * first; a sentence has no words of its own here, and stands before its first one.
 */
export function pieces(text: string, figures: readonly { start: number; end: number; at: number }[]): Piece[] {
  const chars = [...text]; // the server counts characters, and not units of UTF-16
  const out: Piece[] = [];
  let done = 0;
  const put = (from: number, to: number, at: number | null): void => {
    if (to > from || at !== null) out.push({ text: chars.slice(from, to).join(""), at });
  };
  for (const one of [...figures].sort((a, b) => a.start - b.start || (a.end === a.start ? -1 : b.end === b.start ? 1 : b.end - a.end))) {
    if (one.start < done) continue;
    put(done, one.start, null);
    put(one.start, one.end, one.at);
    done = one.end;
  }
  put(done, chars.length, null);
  return out;
}

/** The next figure that is still open after one, or -1; from the end it goes on at the beginning. */
export function nextOpen(figures: readonly { state: string }[], at: number): number {
  const order = figures.map((_, k) => (at + 1 + k) % figures.length);
  return order.find((k) => figures[k]?.state === "open") ?? -1;
}

/** Why a figure is nothing for the ledger, by the letter that says so. */
export const REASONS: readonly [string, string][] = [
  ["a", "age or life of one person"],
  ["b", "background, not of these days"],
  ["m", "misread"],
  ["o", "other subject"],
  ["t", "told elsewhere already"],
];

/** What a paragraph may be, by the letter that says so. */
export const KINDS: readonly [string, string][] = [
  ["s", "story"], ["c", "caption"], ["h", "head"], ["p", "pull quote"], ["r", "repeat"], ["o", "source line"], ["b", "bio"], ["f", "furniture"],
];

/** A span from the beginning of one date to the end of another; the date itself where they are in no order. */
export function spanned(from: string, to: string): string {
  const first = from.split("/")[0] ?? from;
  const last = to.split("/").at(-1) ?? to;
  return first < last ? `${first}/${last}` : to;
}

/** What to call each figure of a quantity: a letter for its parent, and a number where the parent has more than one. */
export function called(members: readonly Member[]): Map<string, string> {
  const parents = [...new Set(members.map((m) => m.parent))];
  const out = new Map<string, string>();
  parents.forEach((parent, k) => {
    const own = members.filter((m) => m.parent === parent);
    const letter = k < 26 ? String.fromCharCode(65 + k) : `${k + 1}.`;
    own.forEach((m, n) => out.set(m.id, own.length > 1 ? `${letter}${n + 1}` : letter));
  });
  return out;
}

/** A figure as it is drawn: its middle, its ends, and which of them are open. */
export interface Mark {
  readonly id: string;
  readonly x: number;
  readonly from: number;
  readonly to: number;
  readonly low: number;
  readonly high: number;
  readonly open: "" | "low" | "high";
}

/** Where figures stand on a picture of this size, those of one day beside each other; `top` is the highest value. */
export function marks(members: readonly Member[], width: number, height: number, top: number): Mark[] {
  const known = members.filter((m) => m.low !== null || m.high !== null);
  const days = known.flatMap((m) => [ordinal(m.first), ordinal(m.last)]);
  const least = Math.min(...days);
  const span = Math.max(...days) - least;
  const at = (day: string): number => (span ? ((ordinal(day) - least) / span) * width : width / 2);
  const up = (value: number): number => height * (1 - value / (top || 1));
  const out: Mark[] = [];
  for (const m of [...known].sort((a, b) => ordinal(a.first) + ordinal(a.last) - ordinal(b.first) - ordinal(b.last))) {
    const middle = (at(m.first) + at(m.last)) / 2;
    const near = [0, 1, -1, 2, -2, 3, -3].map((k) => middle + 14 * k).filter((x) => x >= 0 && x <= width);
    const x = near.find((place) => out.every((o) => Math.abs(o.x - place) >= 12)) ?? middle;
    const low = up(m.low ?? m.high ?? 0);
    const high = up(m.high ?? m.low ?? 0);
    const open = m.low === null ? "low" : m.high === null ? "high" : "";
    out.push({ id: m.id, x, from: at(m.first), to: at(m.last), low: open === "low" ? low + 14 : low, high: open === "high" ? high - 14 : high, open });
  }
  return out;
}

/** The first and the last day of some figures. */
export function ends(members: readonly Member[]): [string, string] {
  const days = members.flatMap((m) => [ordinal(m.first), ordinal(m.last)]);
  return [fromOrdinal(Math.min(...days)), fromOrdinal(Math.max(...days))];
}

