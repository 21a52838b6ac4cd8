import type { CaseEvent, CaseView, Effect, Question } from "../api/types";
import { isDay } from "../lib/dates";
import { MOST_RUNS, baseline, hosted, mostRuns, onDay, parameters, standing, withHosted } from "./question";

export const VIEWS = ["happened", "why", "whatif", "plan", "next", "desk"] as const;
export type ViewName = (typeof VIEWS)[number];
export const TITLES: Record<ViewName, string> = {
  happened: "What happened", why: "Why", whatif: "What if", plan: "Plan", next: "What next", desk: "Reports",
};
/** Views of the links of Breakrank 0.1, and where their answers are now. */
const BEFORE: Record<string, ViewName> = {
  case: "happened", look: "happened", take: "happened", ask: "whatif", compare: "whatif", reception: "plan", life: "why",
};

/** Service levels that a plan is asked at, in per cent of runs; 80 unless another is chosen. */
export const LEVELS = [50, 80, 90, 95] as const;

/** Caseworkers that can be tried, at most; as `breakrank plan --staff` has it. */
export const MOST_STAFF = 10_000;

/** Times as many arrivals as can be asked; as `breakrank plan --arrivals` has it. */
export const ARRIVALS = [0.25, 10] as const;

export const KINDS = ["parameter", "target", "event", "crossing", "site"] as const;
export type Kind = (typeof KINDS)[number];
export type Rows = Kind;

/** What a link holds besides the question. */
export interface Place {
  view: ViewName;
  run: number;
  soldier: number | null;
  /** What the table of the case lists. */
  rows: Rows;
  /** The event that is open under Ask. */
  event: string | null;
  /** What the evidence beside the view is about. */
  shown: Shown | null;
  /** The report that is open at the desk. */
  text: string | null;
  /** The period and the place of a reception, and how many caseworkers are tried; null as the case has it. */
  since: string | null;
  until: string | null;
  site: string | null;
  staff: number | null;
  /** How many times as many people come. */
  arrivals: number;
  /** The service level of a plan, in per cent of runs. */
  level: number;
  /** The day as of which a forecast is asked. */
  asOf: string | null;
}

/** What is shown beside a view when something was clicked. */
export interface Shown {
  kind: Kind;
  id: string;
}

export const HOME: Place = {
  view: "happened", run: 0, soldier: null, rows: "parameter", event: null, shown: null, text: null,
  since: null, until: null, site: null, staff: null, arrivals: 1, level: 80, asOf: null,
};

/** The state as the part of an address after `#`, which no browser sends to a server. */
export function written(place: Place, question: Question, view: CaseView): string {
  const first = baseline(view);
  const parts = new URLSearchParams();
  parts.set("view", place.view);
  parts.set("case", question.case);
  if (place.view === "why") {
    if (place.run) parts.set("run", String(place.run));
    if (place.soldier !== null) parts.set("soldier", String(place.soldier));
  }
  if (place.view === "happened" && place.rows !== HOME.rows) parts.set("rows", place.rows);
  if (place.view === "whatif" && place.event) parts.set("event", place.event);
  if (place.view === "next" && place.asOf) parts.set("as-of", place.asOf);
  if (place.view === "desk" && place.text) parts.set("text", place.text);
  if (place.view === "plan") {
    if (place.since) parts.set("from", place.since);
    if (place.until) parts.set("to", place.until);
    if (place.site) parts.set("place", place.site);
    if (place.staff !== null) parts.set("staff", String(place.staff));
    if (place.level !== HOME.level) parts.set("level", String(place.level));
  }
  if (place.arrivals !== 1) parts.set("arrivals", String(place.arrivals));
  if (place.shown) parts.set("evidence", `${place.shown.kind}:${place.shown.id}`);
  if (question.seed !== first.seed) parts.set("seed", String(question.seed));
  if (question.runs !== first.runs) parts.set("runs", String(question.runs));
  if (question.until !== first.until && question.until) parts.set("until", question.until);
  if (question.parameters) parts.set("parameters", question.parameters);
  if (question.counterfactuals.length) parts.set("with", question.counterfactuals.join(","));
  for (const [name, value] of Object.entries(question.set)) parts.append("set", `${name}=${value}`);
  for (const kind of HOSTED)
    for (const [name, value] of Object.entries(question[kind])) parts.append(kind, `${name}=${value}`);
  if (question.without_events.length) parts.set("without", question.without_events.join(","));
  const stand = standing(question, view);
  if (question.events.length) parts.set("events", JSON.stringify(question.events.map((one) => differing(one, stand.get(one.id)?.event))));
  return parts.toString();
}

interface Differing { as: string; date: string; [more: string]: unknown }

// An event that stands in the case is written as what differs from it: `as` names it; all else is moved along with
// its day. One that lacks something that the case gives it is written whole.
function differing(event: CaseEvent, given: CaseEvent | undefined): CaseEvent | Differing {
  if (!given || Object.keys(given).some((name) => !Object.hasOwn(event, name))) return event;
  const moved = onDay(given, event.date);
  const more = Object.entries(event).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(moved[name]));
  return { as: event.id, date: event.date, ...Object.fromEntries(more) };
}

export const MOST_HOSTED = { places: 1e6, funds: 1e12 };
const HOSTED = ["places", "funds"] as const;
const NAME = /^[\w.-]{1,120}$/;

/** The id of the case that a link names, if any. */
export function caseIn(hash: string): string | null {
  return new URLSearchParams(hash.replace(/^#/, "")).get("case");
}

/**
 * Read a link. Nothing in it is believed: what the case does not know, or what is out of range, is left out
 * and named.
 */
export function read(hash: string, view: CaseView): { place: Place; question: Question; dropped: string[] } {
  const parts = new URLSearchParams(hash.replace(/^#/, "").slice(0, 100_000));
  const place: Place = { ...HOME };
  const first = baseline(view);
  let { seed, runs, until, parameters: draws } = first;
  const dropped: string[] = [];
  const take = <T>(name: string, made: (text: string) => T | null, put: (value: T) => void): void => {
    const text = parts.get(name);
    if (text === null || text === "") return;
    const value = made(text);
    if (value === null) dropped.push(name);
    else put(value);
  };
  take("view", (t) => VIEWS.find((v) => v === t) ?? BEFORE[t] ?? null, (v) => (place.view = v));
  take("run", (t) => whole(t, 0, MOST_RUNS), (v) => (place.run = v));
  take("soldier", (t) => whole(t, 0, 2 ** 32 - 1), (v) => (place.soldier = v));
  take("rows", (t) => KINDS.find((one) => one === t) ?? null, (v) => (place.rows = v));
  take("event", (t) => (NAME.test(t) ? t : null), (v) => (place.event = v));
  take("from", (t) => (isDay(t) && t >= view.start && t <= view.end ? t : null), (v) => (place.since = v));
  take("to", (t) => (isDay(t) && t >= (place.since ?? view.start) && t <= view.end ? t : null), (v) => (place.until = v));
  take("place", (t) => (t.length <= 120 ? t : null), (v) => (place.site = v));
  take("staff", (t) => whole(t, 0, MOST_STAFF), (v) => (place.staff = v));
  take("arrivals", (t) => (Number(t) >= ARRIVALS[0] && Number(t) <= ARRIVALS[1] ? Number(t) : null), (v) => (place.arrivals = v));
  take("text", (t) => (NAME.test(t) ? t : null), (v) => (place.text = v));
  take("evidence", shownIn, (v) => (place.shown = v));
  take("seed", (t) => whole(t, 0, Number.MAX_SAFE_INTEGER), (v) => (seed = v));
  take("runs", (t) => whole(t, 1, MOST_RUNS), (v) => (runs = v));
  take("until", (t) => (isDay(t) && t >= view.start && t <= view.end ? t : null), (v) => (until = v));
  take("level", (t) => LEVELS.find((one) => String(one) === t) ?? null, (v) => (place.level = v));
  take("as-of", (t) => (isDay(t) && t >= view.start && t < view.end ? t : null), (v) => (place.asOf = v));
  take("parameters", (t) => view.parameters.choices.find((one) => one === t) ?? null, (v) => (draws = v === view.parameters.default ? null : v));
  const known = (name: string, has: (id: string) => boolean): string[] =>
    list(parts.get(name)).filter((id) => {
      if (!has(id)) dropped.push(`${name} ${id.slice(0, 40)}`);
      return has(id);
    });
  const counterfactuals = known("with", (id) => view.counterfactuals.some((one) => one.id === id));
  const all = parameters(view);
  const set = { ...first.set };
  for (const text of parts.getAll("set").slice(0, 200)) {
    const at = text.indexOf("=");
    const one = all.get(text.slice(0, at));
    const value = Number(text.slice(at + 1));
    if (one && at > 0 && text.length > at + 1 && Number.isFinite(value) && value >= one.least && value <= one.most)
      set[one.name] = value;
    else dropped.push(`set ${text.slice(0, 40)}`);
  }
  let question: Question = { ...first, seed, runs, until, parameters: draws, counterfactuals, set };
  for (const kind of HOSTED)
    for (const text of parts.getAll(kind).slice(0, 200)) {
      const at = text.lastIndexOf("=");
      const [id, value] = [text.slice(0, at), Number(text.slice(at + 1))];
      if (hosted(kind, view).some((one) => one.id === id) && text.length > at + 1 && value >= 0 && value <= MOST_HOSTED[kind] && (kind === "funds" || Number.isInteger(value)))
        question = withHosted(question, kind, id, value, view);
      else dropped.push(`${kind} ${text.slice(0, 40)}`);
    }
  const most = mostRuns(question, view);
  if (runs > most) {
    dropped.push(`runs beyond ${most}, which repeat the worlds`);
    question = { ...question, runs: most };
  }
  const stand = standing(question, view);
  const without_events = known("without", (id) => stand.has(id));
  let events = first.events;
  take("events", (t) => eventList(t, stand), (v) => (events = v));
  return { place, question: { ...question, without_events, events }, dropped };
}

function shownIn(text: string): Shown | null {
  const [kind, id] = [text.slice(0, text.indexOf(":")), text.slice(text.indexOf(":") + 1)];
  const found = KINDS.find((one) => one === kind);
  return found && NAME.test(id) ? { kind: found, id } : null;
}

function list(text: string | null): string[] {
  return [...new Set((text ?? "").split(",").filter(Boolean))].slice(0, 200);
}

function whole(text: string, low: number, high: number): number | null {
  const value = Number(text);
  return /^\d{1,16}$/.test(text) && value >= low && value <= high ? value : null;
}

function eventList(text: string, stand: ReadonlyMap<string, { event: CaseEvent }>): CaseEvent[] | null {
  try {
    const found = JSON.parse(text) as unknown;
    if (!Array.isArray(found) || found.length > 200) return null;
    const events = found.flatMap((one: unknown) => eventIn(one, stand) ?? []);
    return new Set(events.map((one) => one.id)).size === found.length ? events : null;
  } catch {
    return null;
  }
}

// An event of a link, written whole or as what differs from the one that it names.
function eventIn(one: unknown, stand: ReadonlyMap<string, { event: CaseEvent }>): CaseEvent | null {
  if (typeof one !== "object" || one === null || !isDay((one as CaseEvent).date)) return null;
  const { as, ...more } = one as Differing;
  const given = typeof as === "string" ? stand.get(as)?.event : undefined;
  const event = { ...(given && onDay(given, more.date)), ...more } as CaseEvent;
  const effects = event.effects ?? [];
  const good =
    typeof event.id === "string" && typeof event.title === "string" && Array.isArray(event.evidence ?? []) && Array.isArray(effects) &&
    effects.every((e: Effect | null) => typeof e?.field === "string" && typeof e.op === "string" && typeof e.value === "number");
  return good ? event : null;
}
