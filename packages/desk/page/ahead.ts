import { csv } from "$page/lib/csv";
import { brief, full, ordinal } from "$page/lib/dates";
import { interval, number, percent } from "$page/lib/format";
import type { Ahead, CaseView, Day, FigureData, ShownTable, Spec, ViewAnswer } from "$page/api/types";
import { told } from "./coding";
import type { Member, Quantity } from "./types";

/** A count that is forecast for a day. */
type Counted = Ahead & { date: Day; median: number; low: number; high: number };

/** Where an accepted figure falls in a forecast; `low` to `high` is the pool's 90% interval of its day. */
export interface Placed {
  figure: Member;
  measure: string;
  /** What the forecast calls what it counts; empty where it does not forecast that. */
  label: string;
  /** Between which days of the forecast it is; one where it is of that day, or before the first. */
  days: Counted[];
  median: number;
  model: number;
  low: number;
  high: number;
  /** A range overlaps that interval, or a bound agrees with it. */
  lies: "" | "above" | "below" | "within" | "overlaps" | "agrees with";
  says: string;
}

/** Words that a sentence which tells a finding has at most. */
const MOST_WORDS = 25;

const isCount = (one: Ahead): one is Counted => one.date !== undefined && one.median !== undefined;
const people = (value: number): string => number(value, "people");
const ninety = (one: { low: number; high: number }): string => interval(one.low, one.high, "people");

/** What a forecast counts: its measures with their labels. */
export function measures(ahead: readonly Ahead[]): Map<string, string> {
  return new Map(ahead.flatMap((one) => (one.measure ? [[one.measure, one.label]] : [])));
}

/** What a figure counts: what other figures of its quantity do in the case's record, or what the quantity is named after. */
export function counts(figure: Member, quantities: readonly Quantity[], view: CaseView, ahead: readonly Ahead[]): string {
  const quantity = quantities.find((q) => q.members.some((m) => m.id === figure.id));
  if (!quantity) return "";
  const known = [...measures(ahead).keys()];
  const target = view.targets.find((t) => known.includes(t.measure) && !t.by && t.evidence.some((id) => quantity.members.some((m) => m.id === id)));
  return target?.measure ?? known.find((name) => quantity.id.replaceAll("-", "_").startsWith(name)) ?? "";
}

/** A figure with its day: `1,240 of 3 Mar 2019`. */
export function named(figure: Member): string {
  const plain = told({ ...figure, unit: null });
  return figure.value !== null && !figure.bound ? `The ${plain} of ${full(figure.last)}` : `The figure of ${full(figure.last)}, ${plain},`;
}

/** Lay a figure beside a forecast as of a day; between two days of the forecast, its numbers lie on a line. */
export function placed(figure: Member, measure: string, ahead: readonly Ahead[], asOf: Day): Placed {
  const rows = ahead.filter(isCount).filter((one) => one.measure === measure).sort((a, b) => ordinal(a.date) - ordinal(b.date));
  const after = rows.find((one) => one.date >= figure.last);
  const before = rows.findLast((one) => one.date <= figure.last);
  const out: Placed = { figure, measure, label: after?.label ?? rows[0]?.label ?? "", days: [], median: NaN, model: NaN, low: NaN, high: NaN, lies: "", says: "" };
  const name = named(figure);
  if (!rows.length) return { ...out, says: `${name} stands beside no forecast: say what it counts.` };
  if (figure.last <= asOf) return { ...out, says: `${name} is not after the forecast's day, ${full(asOf)}. Take it in to see what it changes.` };
  if (!after) return { ...out, says: `${name} is after the last day that is forecast.` };
  const from = before ?? after;
  const share = from.date === after.date ? 0 : (ordinal(figure.last) - ordinal(from.date)) / (ordinal(after.date) - ordinal(from.date));
  const on = (of: (one: Counted) => number): number => of(from) + share * (of(after) - of(from));
  const [low, high] = [on((one) => one.low), on((one) => one.high)];
  // Counts are compared as they are read, in whole numbers.
  const ends = { low: Math.floor(low + 0.5), high: Math.floor(high + 0.5) };
  const lies = figure.low !== null && figure.low > ends.high ? "above" : figure.high !== null && figure.high < ends.low ? "below"
    : figure.low === null || figure.high === null ? "agrees with" : figure.low >= ends.low && figure.high <= ends.high ? "within" : "overlaps";
  return {
    ...out, days: from === after ? [after] : [from, after], median: on((one) => one.median), model: on((one) => one.model ?? NaN), low, high, lies,
    says: `${name} ${lies === "overlaps" || lies === "agrees with" ? lies : `lies ${lies}`} the forecast's 90% interval (${ninety({ low, high })}).`,
  };
}

/** For which day of the forecast the interval is that a figure is laid beside. */
export function forecastDay(one: Placed): string {
  const [first, second] = one.days;
  if (!first) return "";
  return second ? `between ${brief(first.date)} and ${full(second.date)}` : first.date === one.figure.last ? `by ${full(first.date)}` : `by ${full(first.date)}, its first day`;
}

/** The accepted figures beside the forecast, a row each. */
export function beside(all: readonly Placed[]): ShownTable {
  const rows = all.map((one) => [
    told(one.figure), one.label || "not forecast", one.lies || "–", full(one.figure.last), forecastDay(one) || "–",
    one.lies ? `${people(one.median)} (${ninety(one)})` : "–", people(one.model),
  ]);
  return {
    name: "accepted", title: "Accepted figures beside this forecast", parts: [{ heading: "", grid: { columns: ["Figure", "Counts", "Lies", "Day", "Forecast for", "Pool, median (90%)", "Model, median"], rows, numbers: 5 } }],
    note: all.some((one) => one.days.length > 1) ? "Between two days of the forecast, its numbers lie on a straight line." : "",
  };
}

/** A chart of one count ahead with the accepted figures of it: dots for numbers, lines for ranges, arrows for bounds. */
function chart(first: FigureData, label: string, ahead: readonly Ahead[], all: readonly Placed[]): FigureData {
  const here = all.filter((one) => one.label === label && one.lies !== "");
  const panel = first.panels[0];
  const own = ahead.filter(isCount).filter((one) => one.label === label);
  const layers = structuredClone(panel?.spec.layer) as { data: { name: string }; mark: Record<string, unknown>; encoding: Record<string, Record<string, unknown>> }[] | undefined;
  const dots = layers?.at(-1);
  if (!panel || !dots || !here.length) return first;
  const between = here.filter((one) => one.days.length > 1 || one.days[0]?.date !== one.figure.last)
    .map((one) => ({ date: one.figure.last, head: `on ${full(one.figure.last)}`, median: one.median, low: one.low, high: one.high }));
  const rows = [...own, ...between.filter((one, k) => between.findIndex((other) => other.head === one.head) === k)].sort((a, b) => ordinal(a.date) - ordinal(b.date));
  const data = rows.map((one) => ({ label: one.head, value: one.median, low: one.low, high: one.high, said: `${people(one.median)} (90% ${ninety(one)})` }));
  const marks = here.map((one) => ({
    label: rows.find((row) => row.date === one.figure.last)?.head, value: one.figure.value ?? one.figure.low, low: one.figure.low ?? one.figure.high, high: one.figure.high ?? one.figure.low,
    shape: one.figure.low === null ? "triangle-left" : one.figure.high === null ? "triangle-right" : "circle", said: `${told(one.figure)}, accepted; ${one.figure.says ?? one.figure.source}`,
  }));
  const sort = data.map((row) => row.label);
  for (const layer of layers ?? []) if (layer.encoding.y) layer.encoding.y = { ...layer.encoding.y, sort };
  const { x, y } = dots.encoding;
  const tooltip = [{ field: "label", type: "nominal", title: "Day in words" }, { field: "said", type: "nominal", title: "Accepted figure" }];
  const ring = { type: "point", color: "var(--record)", fill: "var(--paper)", size: 64, strokeWidth: 2, opacity: 1 };
  const added = [
    { data: { name: "accepted" }, mark: { type: "rule", color: "var(--record)", strokeWidth: 2.5 }, encoding: { x: { ...x, field: "low" }, x2: { field: "high" }, y } },
    { data: { name: "accepted" }, mark: ring, encoding: { x, y, shape: { field: "shape", type: "nominal", scale: null }, tooltip } },
  ];
  const spec: Spec = {
    ...panel.spec, layer: [...(layers ?? []), ...added], height: (Number(panel.spec.height) / Math.max(1, first.table.rows.length)) * rows.length,
    datasets: { ...panel.spec.datasets, [dots.data.name]: data, accepted: marks },
  };
  const words = here.map((one) => one.says).join(" ");
  return {
    ...first, id: `ahead-${here[0]?.measure}`, title: `${label}, ${first.title.split(", ").slice(1).join(", ")}`, note: `${first.note}; in ink: accepted figures`, sentence: words,
    panels: [{ ...panel, spec, alt: `${label}: ${data.map((row) => `${row.label} ${row.said}`).join("; ")}. ${words}` }],
    table: { ...first.table, rows: [...own.map((one) => [label, full(one.date), one.parts ?? "", people(one.median), ninety(one)]), ...here.map((one) => [label, full(one.figure.last), "accepted figure", told({ ...one.figure, unit: null }), ""])] },
  };
}

/** A forecast with the accepted figures on it: on charts, in a row each, in words, and with who says them. */
export function withFigures(found: ViewAnswer, all: readonly Placed[], after: { says: string; table: ShownTable } | null): ViewAnswer {
  const [first] = found.figures;
  if (!all.length || !found.ahead) return found;
  const ahead = found.ahead;
  const labels = new Set([...ahead.slice(0, 1).map((one) => one.label), ...all.filter((one) => one.lies).map((one) => one.label)]);
  return {
    ...found,
    figures: first ? [...labels].map((label) => chart(first, label, ahead, all)) : found.figures,
    tables: [...(after ? [after.table] : []), beside(all), ...found.tables],
    notes: [...all.map((one) => one.says), ...(after ? [after.says] : []), ...found.notes],
    evidence: [...all.map((one) => ({ of: `Accepted: ${one.figure.what}, ${told(one.figure)}`, says: `${one.figure.says ?? "the outlet"}, in ${one.figure.source}` })), ...found.evidence],
  };
}

/** The table of figures that a forecast takes in, as `breakrank forecast --observations` reads it. */
export function table(all: readonly Placed[]): string {
  const rows = all.map(({ figure, measure }) => {
    const plain = figure.range ? `${figure.range[0]} to ${figure.range[1]}` : `${figure.bound ? `${figure.bound.replace("_", " ")} ` : ""}${figure.value}`;
    return [figure.last, measure, plain, `${figure.says ?? "the outlet"} (${figure.source})`];
  });
  return csv(["date", "measure", "figure", "source"], rows);
}

/** What a forecast that has taken figures in says beside the one before, on the days that both speak of. */
export function compared(before: ViewAnswer, after: ViewAnswer, taken: readonly Placed[]): { says: string; table: ShownTable } {
  const cell = (one: Ahead): string => (isCount(one) ? `${people(one.median)} (${ninety(one)})` : percent(one.chance));
  const pairs = (after.ahead ?? []).flatMap((one) => {
    const other = (before.ahead ?? []).find((o) => o.label === one.label && o.head === one.head);
    // From another day on, another span: uprisings are counted from the forecast's day.
    return other && (before.as_of === after.as_of || isCount(one) || one.label === "Regime in place") ? [{ one, other }] : [];
  });
  const lead = pairs.filter(({ one }) => isCount(one) && one.label === taken[0]?.label).slice(-2)[0];
  const one = taken.length === 1 ? taken[0]?.figure : undefined;
  const plain = one && told({ ...one, unit: null });
  const figures = !one ? `${taken.length} accepted figures` : one.value !== null && !one.bound ? `the ${plain} of ${full(one.last)}` : `${plain} on ${full(one.last)}`;
  const tell = (what: string): string => !lead || !isCount(lead.one) || !isCount(lead.other) ? `With ${what}, no count of this forecast is of the same day as before.`
    : `With ${what}, ${lead.one.label.charAt(0).toLowerCase()}${lead.one.label.slice(1)} ${lead.one.head} goes from ${people(lead.other.median)} (90% ${ninety(lead.other)}) to ${cell(lead.one)}.`;
  const says = tell(figures).split(" ").length <= MOST_WORDS ? tell(figures) : tell(one ? "it" : "them");
  const days = before.as_of === after.as_of ? "" : `Before is as of ${full(before.as_of ?? "")}, after as of ${full(after.as_of ?? "")}, with whatever else was published by then. `;
  return {
    says,
    table: {
      name: "taken-in", title: "Before and after the accepted figures", note: `${days}Counts: median of the pool (90% interval). Each forecast has members of its own, so chance moves both.`,
      parts: [{ heading: "", grid: { columns: ["Outcome", "By", "Before", "After"], rows: pairs.map(({ one, other }) => [one.label, one.head.replace(/^by /, ""), cell(other), cell(one)]), numbers: 2 } }],
    },
  };
}
