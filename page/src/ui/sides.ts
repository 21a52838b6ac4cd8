import type { CaseEvent, CaseView, Effect, Observation, Source } from "../api/types";
import { full } from "../lib/dates";
import { short } from "../lib/format";

/** What stands behind a figure, and what was said otherwise. */
export interface Sides {
  behind: Observation[];
  otherwise: Observation[];
}

const PEOPLE = new Set(["persons", "soldiers", "people"]);
/** Whether a unit counts people, by whatever name. */
export const isPeople = (unit: string): boolean => PEOPLE.has(unit);
type Span = [number, number];

function spanOf(one: Observation): Span | null {
  if (one.range) return one.range;
  return one.value === null ? null : [one.value, one.value];
}

/**
 * Tell what stands behind a figure from what was said otherwise. A source may be cited and disagree all the same:
 * of those cited that contradict each other, the ones whose number is not the figure's are on the other side.
 *
 * `value` is the figure, or its ends; `unit` its unit: numbers in another unit are not held against it.
 */
export function sides(view: CaseView, cited: readonly string[], conflicting: readonly string[], value: Span | null, unit: string): Sides {
  const of = (ids: readonly string[]): Observation[] => ids.flatMap((id) => view.observations[id] ?? []);
  const behind = of(cited);
  const named = new Set([...conflicting, ...behind.flatMap((one) => one.conflicts)]);
  const alike = (one: Observation): boolean => one.unit === unit || (isPeople(one.unit ?? "") && isPeople(unit));
  const differs = (one: Observation): boolean => {
    const span = spanOf(one);
    if (!value || !span || !alike(one) || !named.has(one.id)) return false;
    return span[1] < value[0] || span[0] > value[1];
  };
  // Where no number agrees, the figure was chosen between them, and all of them stand behind it.
  const agreed = behind.some((one) => spanOf(one) !== null && alike(one) && !differs(one));
  const against = agreed ? behind.filter(differs) : [];
  return {
    behind: behind.filter((one) => !against.includes(one)),
    otherwise: [...against, ...of([...named]).filter((one) => !behind.includes(one))],
  };
}

/** Whether anything that is cited, or named beside it, is contradicted. */
export function disputed(view: CaseView, cited: readonly string[], conflicting: readonly string[] = []): boolean {
  return conflicting.length > 0 || cited.some((id) => (view.observations[id]?.conflicts.length ?? 0) > 0);
}

/** A day, a month, a year, or two of them joined by a stroke, in words. */
export function when(text: string | null): string {
  return (text ?? "").split("/").filter(Boolean).map(full).join(" to ");
}

/** A source in a line: who published what, when, whether it copies another, and how far it is relied on. */
export function sourceLine(view: CaseView, one: Observation): string {
  const source: Source | undefined = view.sources[one.source];
  if (!source) return one.source;
  const part = one.paragraph ? (/^\d/.test(one.paragraph) ? `, paragraph ${one.paragraph}` : `, “${one.paragraph}”`) : "";
  const copy = source.copy_of ? `; a copy of ${view.sources[source.copy_of]?.publisher ?? source.copy_of}` : "";
  return `${source.publisher}, “${source.title}”, ${source.date ? when(source.date) : "undated"}${part}${copy}. Reliability of the source: ${source.reliability ?? "not given"}`;
}

/** What one effect of an event does, in words: how much of what, for how long, and to whom alone. */
export function effectLine(view: CaseView, event: CaseEvent, one: Effect): string {
  const unit = one.op === "multiply" ? "" : ` ${view.fields.find((f) => f.name === one.field)?.unit ?? ""}`;
  const verb = { add: "adds", multiply: "times", set: "set to" }[one.op] ?? one.op;
  const labels: [string, { id: string; label: string }[]][] = [["states", view.states], ["branches", view.branches], ["ranks", view.ranks]];
  const only = labels.flatMap(([name, known]) => {
    const ids = one[name];
    return Array.isArray(ids) ? [(ids as string[]).map((id) => known.find((k) => k.id === id)?.label ?? id).join(", ")] : [];
  });
  const until = typeof one.until === "string" ? (one.until === event.date ? ", on that day" : ` until ${full(one.until)}`) : "";
  const fading = typeof one.half_life === "number" ? `, half-life ${short(one.half_life)} days` : "";
  return `${verb} ${short(one.value)}${unit}${until}${fading}${only.length ? `; only: ${only.join("; ")}` : ""}`;
}
