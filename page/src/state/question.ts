import type { CaseEvent, CaseView, CounterfactualInfo, Day, Draws, Opened, Parameter, Question } from "../api/types";
import { between, brief, fromOrdinal, full, isDay, ordinal } from "../lib/dates";

export const MOST_RUNS = 2000;

/** The question that a case opens with. */
export function baseline(view: CaseView): Question {
  return {
    seed: 0,
    runs: 40,
    counterfactuals: [],
    set: {},
    events: [],
    without_events: [],
    until: null,
    parameters: null,
    places: {},
    funds: {},
    ...view.baseline,
    case: view.id,
  };
}

/** The same force, luck and calendar with nothing changed: what a question is compared with. */
export function unchanged(question: Question): Question {
  return { ...question, counterfactuals: [], set: forceOnly(question.set), events: [], without_events: [], places: {}, funds: {} };
}

/** A question with the changes of a scenario file in place of its own; runs, seed and last day stay. */
export function opened(question: Question, one: Opened): Question {
  return { ...question, counterfactuals: [], ...one.asks };
}

/** Whether a question is the one that the case opens with, of which there may be views that were computed beforehand. */
export function isBaseline(question: Question, view: CaseView): boolean {
  return keyOf(question) === keyOf(baseline(view));
}

/** A question in which parameters have these values; with `undefined`, what the case gives them. */
export function withSet(question: Question, values: Record<string, number | undefined>): Question {
  const set = Object.entries({ ...question.set, ...values }).filter((one): one is [string, number] => one[1] !== undefined);
  return { ...question, set: Object.fromEntries(set) };
}

// Values of the force make other soldiers, who cannot be paired: both sides of a comparison share them.
function forceOnly(set: Question["set"]): Record<string, number> {
  return Object.fromEntries(Object.entries(set).filter(([name]) => name.startsWith("force.")));
}

/** One spelling of a question, by which answers are kept. */
export function keyOf(question: Question): string {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted);
    if (value && typeof value === "object")
      return Object.fromEntries(
        Object.entries(value)
          .filter(([, v]) => v !== undefined)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([k, v]) => [k, sorted(v)]),
      );
    return value;
  };
  return JSON.stringify(sorted({ ...question, without_events: [...question.without_events].sort() }));
}

export function isChanged(question: Question): boolean {
  return (
    question.counterfactuals.length > 0 ||
    Object.keys(question.set).some((name) => !name.startsWith("force.")) ||
    question.events.length > 0 ||
    question.without_events.length > 0 ||
    Object.keys(question.places).length > 0 ||
    Object.keys(question.funds).length > 0
  );
}

/** A question under draws that are valid for it: worlds were selected to match the record, which a change undoes. */
export function underValidDraws(question: Question, view: CaseView, arrivals = 1): Question {
  const until = view.parameters.selected_until;
  const instead = view.parameters.choices.find((one) => one !== "worlds");
  const early = arrivals !== 1 || (isChanged(question) && actsFrom(question, view) <= (until ?? ""));
  return until && instead && early && drawsOf(question, view) === "worlds" ? withDraws(question, instead, view) : question;
}

/** A question as it is put: without the draws that are chosen because it changes something. */
export function asPut(question: Question, view: CaseView, arrivals = 1): Question {
  const plain = { ...question, parameters: null };
  return keyOf(underValidDraws(plain, view, arrivals)) === keyOf(question) ? plain : question;
}

/** The first day on which a changed question can differ from its case: that of an event, if only events differ. */
function actsFrom(question: Question, view: CaseView): Day {
  const { counterfactuals, set, places, funds } = question;
  if (counterfactuals.length || [set, places, funds].some((one) => Object.keys(one).length)) return view.start;
  const days = timeline(question, view).filter((one) => one.state !== "as given").flatMap((one) => [one.event.date, one.given?.date ?? one.event.date]);
  return days.sort()[0] ?? view.start;
}

/** How many runs tell something new: of worlds that leave nothing to luck, one each. */
export function mostRuns(question: Question, view: CaseView): number {
  const most = drawsOf(underValidDraws(question, view), view) === "worlds" ? view.parameters.most : null;
  return Math.min(MOST_RUNS, most ?? MOST_RUNS);
}

/** What the unchanged side is called where nothing of the force is changed either. */
export const AS_IT_STANDS = "the case as it stands";

/** What a question's unchanged side is: the case, with the force that both sides share where it is another. */
export function unchangedCalled(question: Question): string {
  return Object.keys(forceOnly(question.set)).length ? "the case with this force" : AS_IT_STANDS;
}

/** What a planner changes of a host: places of its sites, or sums of its payers. */
export type Hosted = "places" | "funds";

export interface Change {
  kind: "counterfactual" | "parameter" | "event" | Hosted;
  id: string;
  label: string;
  before: string;
  after: string;
}

/** What a question changes of its case, ready to be listed. */
export function changes(question: Question, view: CaseView, show: (value: number) => string): Change[] {
  const found: Change[] = [];
  for (const one of named(question, view)) found.push({ kind: "counterfactual", id: one.id, label: one.title, before: "", after: "" });
  const all = parameters(view);
  for (const [name, value] of Object.entries(question.set)) {
    const one = all.get(name);
    const onOff = isSwitch(name);
    found.push({
      kind: "parameter",
      id: name,
      label: one ? titleOf(one) : name,
      before: one ? (isFitted(one, question, view) ? "drawn" : onOff ? word(one.value) : show(one.value)) : "",
      after: onOff ? word(value) : show(value),
    });
  }
  for (const kind of ["places", "funds"] as const)
    for (const [id, value] of Object.entries(question[kind])) {
      const one = hosted(kind, view).find((each) => each.id === id);
      const before = one?.value === null ? "no limit" : show(one?.value ?? 0);
      found.push({ kind, id, label: `${one?.label ?? id}, ${kind}`, before, after: show(value) });
    }
  for (const one of timeline(question, view)) {
    if (one.state === "as given" || one.by !== null) continue;
    const { event, given, state } = one;
    const words = given && state === "moved" ? [`moved from ${brief(given.date)} to ${brief(event.date)}`] : [];
    if (given && state !== "removed") words.push(...effectsChanged(event, given, show));
    found.push({ kind: "event", id: event.id, label: event.title, before: "", after: words.join(", ") || state });
  }
  return found;
}

/** Which effects of an event are others than it was given. */
function effectsChanged(event: CaseEvent, given: CaseEvent, show: (value: number) => string): string[] {
  const of = (one: CaseEvent): Map<string, number> => new Map((one.effects ?? []).map((effect) => [effect.field, effect.value]));
  const [now, was] = [of(event), of(given)];
  return [...new Set([...was.keys(), ...now.keys()])].flatMap((field) => {
    const [before, after, name] = [was.get(field), now.get(field), field.replaceAll("_", " ")];
    if (after === undefined) return [`without ${name}`];
    return after === before ? [] : [`${name} ${show(after)}${before === undefined ? "" : ` instead of ${show(before)}`}`];
  });
}

/** A change in a few words: what it is of, from what, and to what. */
export function told({ label, before, after }: Change): string {
  return [label, before && after ? `${before} to ${after}` : after].filter(Boolean).join(", ");
}

/** The sites that take people in, or who pays for them, each with its number in the case; null without a limit. */
export function hosted(kind: Hosted, view: CaseView): { id: string; label: string; value: number | null }[] {
  const sites = view.sites.filter((one) => one.kind !== "embassy").map(({ id, label, capacity }) => ({ id, label, value: capacity ?? 0 }));
  return kind === "places" ? sites : view.payers.map(({ id, label, funds }) => ({ id, label, value: funds }));
}

/** A question in which a site has these places, or a payer this sum; with `null`, what the case gives. */
export function withHosted(question: Question, kind: Hosted, id: string, value: number | null, view: CaseView): Question {
  const given = hosted(kind, view).find((one) => one.id === id)?.value;
  const { [id]: _, ...others } = question[kind];
  return { ...question, [kind]: value === null || value === given ? others : { ...others, [id]: value } };
}

function word(value: number): string {
  return value ? "on" : "off";
}

export function isSwitch(name: string): boolean {
  return name.endsWith(".on");
}

/** A heading for a parameter from what it is about. */
export function titleOf(one: Parameter): string {
  const text = (one.about || one.name).replace(/\b\d{4}-\d{2}-\d{2}\b/g, full);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const known = new WeakMap<CaseView, Map<string, Parameter>>();

export function parameters(view: CaseView): Map<string, Parameter> {
  let found = known.get(view);
  if (!found) {
    found = new Map(view.mechanisms.flatMap((m) => m.parameters).map((p) => [p.name, p]));
    known.set(view, found);
  }
  return found;
}

/** Whether the case receives those who cross: else there is no plan to make. */
export function receives(view: CaseView): boolean {
  return (parameters(view).get("reception.on")?.value ?? 0) >= 0.5;
}

/** What the runs of a question live under: the worlds that agree with the record, draws of the posterior, or values. */
export function drawsOf(question: Question, view: CaseView): Draws {
  return question.parameters ?? view.parameters.default;
}

/** Whether the runs of a question live under draws, each under others. */
export function underDraws(question: Question, view: CaseView): boolean {
  return drawsOf(question, view) !== "values";
}

/** Whether a parameter would be drawn anew for the runs of a question, were it not set. */
export function isFitted(one: Parameter, question: Question, view: CaseView): boolean {
  return one.posterior !== null && underDraws(question, view);
}

/** A question in which a parameter has a value; with `null`, what the case (or its posterior) gives it. */
export function withValue(question: Question, one: Parameter, value: number | null, view: CaseView): Question {
  // The case's own value changes nothing, unless a counterfactual or each draw of the posterior gives another.
  const given = byCounterfactual(question, view).get(one.name)?.value ?? (isFitted(one, question, view) ? null : one.value);
  return withSet(question, { [one.name]: value === null || value === given ? undefined : value });
}

/** A question in worlds that agree with the record, under draws of the posterior, or at values. */
export function withDraws(question: Question, draws: Draws, view: CaseView): Question {
  const next = { ...question, parameters: draws === view.parameters.default ? null : draws };
  next.runs = Math.min(next.runs, mostRuns(next, view));
  const idle = [...parameters(view).values()].filter(
    (one) => next.set[one.name] === one.value && !isFitted(one, next, view) && !byCounterfactual(next, view).has(one.name),
  );
  return withSet(next, Object.fromEntries(idle.map((one) => [one.name, undefined])));
}

export type EventState = "as given" | "removed" | "added" | "moved" | "altered";

export interface Dated {
  event: CaseEvent;
  /** As it stands without the question's own changes; null for one that was added. */
  given: CaseEvent | null;
  state: EventState;
  /** The named counterfactual that did this; null for the case itself and for the question's own changes. */
  by: string | null;
}

/** The named counterfactuals that a question asks, in its order. */
export function named(question: Question, view: CaseView): CounterfactualInfo[] {
  return question.counterfactuals.flatMap((id) => view.counterfactuals.find((one) => one.id === id) ?? []);
}

/** The values that the named counterfactuals of a question set, by parameter. */
export function byCounterfactual(question: Question, view: CaseView): Map<string, { value: number; title: string }> {
  return new Map(named(question, view).flatMap((one) => Object.entries(one.set).map(([name, value]) => [name, { value, title: one.title }])));
}

/** The events as the named counterfactuals leave them, before the question's own changes. */
export function standing(question: Question, view: CaseView): Map<string, Dated> {
  const found = new Map<string, Dated>(view.events.map((event) => [event.id, { event, given: event, state: "as given", by: null }]));
  for (const one of named(question, view)) {
    const by = one.title;
    for (const id of one.without) {
      const there = found.get(id);
      if (there) found.set(id, { ...there, state: "removed", by });
    }
    for (const { event: id, field } of one.without_effects) {
      const there = found.get(id);
      if (!there || there.state === "removed") continue;
      const effects = (there.event.effects ?? []).filter((effect) => effect.field !== field);
      found.set(id, { ...there, event: { ...there.event, effects }, state: "altered", by });
    }
    for (const event of one.events) {
      const given = found.get(event.id)?.given ?? null;
      found.set(event.id, { event, given, state: given ? (given.date !== event.date ? "moved" : "altered") : "added", by });
    }
  }
  return found;
}

/** The events of a question in order of their dates, with what was done to each, and by which counterfactual. */
export function timeline(question: Question, view: CaseView): Dated[] {
  const put = new Map(question.events.map((e) => [e.id, e]));
  const out = new Set(question.without_events);
  const stand = standing(question, view);
  const found: Dated[] = [...stand.values()].map((one) => {
    const instead = put.get(one.event.id);
    if (instead) return { event: instead, given: one.event, state: instead.date !== one.event.date ? "moved" : "altered", by: null };
    if (out.has(one.event.id) && one.state !== "removed") return { ...one, given: one.event, state: "removed", by: null };
    return one;
  });
  for (const event of question.events) if (!stand.has(event.id)) found.push({ event, given: null, state: "added", by: null });
  return found.sort((a, b) => (a.event.date < b.event.date ? -1 : a.event.date > b.event.date ? 1 : 0));
}

/** A question that asks these named counterfactuals; changes to events that only others have are dropped. */
export function withCounterfactuals(question: Question, ids: readonly string[], view: CaseView): Question {
  const next = { ...question, counterfactuals: ids };
  const known = standing(next, view);
  return { ...next, without_events: next.without_events.filter((id) => known.has(id)) };
}

/** An event on another day: the last days of its effects move along, so that each lasts as long as before. */
export function onDay(event: CaseEvent, day: Day): CaseEvent {
  const by = between(event.date, day);
  const effects = event.effects?.map((one) => (isDay(one.until) ? { ...one, until: fromOrdinal(ordinal(one.until) + by) } : one));
  return { ...event, date: day, ...(effects ? { effects } : {}) };
}

/** A question in which an event stands as `event`, in place of one of the same id. */
export function withEvent(question: Question, event: CaseEvent, view: CaseView): Question {
  const next = restored(question, event.id);
  const stand = standing(question, view).get(event.id);
  const given = stand && stand.state !== "removed" ? stand.event : null;
  if (given && JSON.stringify(given) === JSON.stringify(event)) return next;
  return { ...next, events: [...next.events, event], without_events: [...next.without_events, ...(given ? [event.id] : [])] };
}

/** A question without an event; one that was added disappears, one of the case stands as removed. */
export function withoutEvent(question: Question, id: string, view: CaseView): Question {
  const next = restored(question, id);
  const stand = standing(question, view).get(id);
  return stand && stand.state !== "removed" ? { ...next, without_events: [...next.without_events, id] } : next;
}

/** A question in which an event is as the case gives it. */
export function restored(question: Question, id: string): Question {
  return {
    ...question,
    events: question.events.filter((one) => one.id !== id),
    without_events: question.without_events.filter((one) => one !== id),
  };
}

/** An id for a new event that is not taken. */
export function freeId(title: string, question: Question, view: CaseView): string {
  const stem = title.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 40) || "event";
  const taken = new Set([...view.events, ...question.events, ...view.counterfactuals.flatMap((one) => one.events)].map((e) => e.id));
  let id = stem;
  for (let n = 2; taken.has(id); n += 1) id = `${stem}-${n}`;
  return id;
}
