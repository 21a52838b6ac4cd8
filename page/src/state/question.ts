import type { CaseEvent, CaseView, Parameter, Question } from "../api/types";

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
    ...view.baseline,
    case: view.id,
  };
}

/** The same force, luck and calendar with nothing changed: what a question is compared with. */
export function unchanged(question: Question): Question {
  return { ...plain(question), counterfactuals: [], set: forceOnly(question.set), events: [], without_events: [] };
}

/** A deep copy without any proxies. */
export function plain(question: Question): Question {
  return JSON.parse(JSON.stringify(question)) as Question;
}

// Values of the force make other soldiers, who cannot be paired: both sides of a comparison share them.
function forceOnly(set: Record<string, number>): Record<string, number> {
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
    question.without_events.length > 0
  );
}

export interface Change {
  kind: "counterfactual" | "parameter" | "event";
  id: string;
  label: string;
  before: string;
  after: string;
}

/** What a question changes of its case, ready to be listed. */
export function changes(question: Question, view: CaseView, show: (value: number) => string): Change[] {
  const found: Change[] = [];
  for (const id of question.counterfactuals) {
    const named = view.counterfactuals.find((one) => one.id === id);
    found.push({ kind: "counterfactual", id, label: named?.title ?? id, before: "", after: "" });
  }
  const all = parameters(view);
  for (const [name, value] of Object.entries(question.set)) {
    const one = all.get(name);
    const onOff = isSwitch(name);
    found.push({
      kind: "parameter",
      id: name,
      label: one ? titleOf(one) : name,
      before: one ? (onOff ? word(one.value) : show(one.value)) : "",
      after: onOff ? word(value) : show(value),
    });
  }
  for (const one of timeline(question, view)) {
    if (one.state === "as given") continue;
    found.push({ kind: "event", id: one.event.id, label: one.event.title, before: "", after: one.state });
  }
  return found;
}

function word(value: number): string {
  return value ? "on" : "off";
}

export function isSwitch(name: string): boolean {
  return name.endsWith(".on");
}

/** A heading for a parameter from what it is about. */
export function titleOf(one: Parameter): string {
  const text = one.about || one.name;
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

export type EventState = "as given" | "removed" | "added" | "moved" | "altered";

export interface Dated {
  event: CaseEvent;
  given: CaseEvent | null;
  state: EventState;
}

/** The events of a question in order of their dates, with what was done to each. */
export function timeline(question: Question, view: CaseView): Dated[] {
  const given = new Map(view.events.map((e) => [e.id, e]));
  const put = new Map(question.events.map((e) => [e.id, e]));
  const out = new Set(question.without_events);
  const found: Dated[] = [];
  for (const event of view.events) {
    const instead = put.get(event.id);
    if (instead) found.push({ event: instead, given: event, state: instead.date !== event.date ? "moved" : "altered" });
    else found.push({ event, given: event, state: out.has(event.id) ? "removed" : "as given" });
  }
  for (const event of question.events) if (!given.has(event.id)) found.push({ event, given: null, state: "added" });
  return found.sort((a, b) => (a.event.date < b.event.date ? -1 : a.event.date > b.event.date ? 1 : 0));
}

/** A question in which an event stands as `event`, in place of one of the same id. */
export function withEvent(question: Question, event: CaseEvent, view: CaseView): Question {
  const next = plain(question);
  const given = view.events.find((one) => one.id === event.id);
  next.events = next.events.filter((one) => one.id !== event.id);
  next.without_events = next.without_events.filter((id) => id !== event.id);
  if (given && JSON.stringify(given) === JSON.stringify(event)) return next;
  next.events.push(JSON.parse(JSON.stringify(event)) as CaseEvent);
  if (given) next.without_events.push(event.id);
  return next;
}

/** A question without an event; one that was added disappears, one of the case stands as removed. */
export function withoutEvent(question: Question, id: string, view: CaseView): Question {
  const next = plain(question);
  next.events = next.events.filter((one) => one.id !== id);
  next.without_events = next.without_events.filter((one) => one !== id);
  if (view.events.some((one) => one.id === id)) next.without_events.push(id);
  return next;
}

/** A question in which an event is as the case gives it. */
export function restored(question: Question, id: string): Question {
  const next = plain(question);
  next.events = next.events.filter((one) => one.id !== id);
  next.without_events = next.without_events.filter((one) => one !== id);
  return next;
}

/** An id for a new event that is not taken. */
export function freeId(title: string, question: Question, view: CaseView): string {
  const stem = title.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^[^a-z]+|-+$/g, "").slice(0, 40) || "event";
  const taken = new Set([...view.events, ...question.events].map((e) => e.id));
  let id = stem;
  for (let n = 2; taken.has(id); n += 1) id = `${stem}-${n}`;
  return id;
}
