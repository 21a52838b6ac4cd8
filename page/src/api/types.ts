/** What the server takes and gives; see `breakrank.page`. Dates are ISO days; shares lie in 0 to 1. */

export type Day = string;

export interface Effect {
  readonly field: string;
  readonly op: string;
  readonly value: number;
  readonly [more: string]: unknown;
}

export interface CaseEvent {
  readonly id: string;
  readonly date: Day;
  readonly title: string;
  readonly about?: string | null;
  readonly effects?: readonly Effect[];
  readonly evidence?: readonly string[];
  readonly assumed?: string | null;
  readonly [more: string]: unknown;
}

export type Draws = "worlds" | "posterior" | "values";

/** What is asked. It is never changed: whoever asks something else makes another one. */
export interface Question {
  readonly case: string;
  readonly seed: number;
  readonly runs: number;
  readonly counterfactuals: readonly string[];
  readonly set: Readonly<Record<string, number>>;
  readonly events: readonly CaseEvent[];
  readonly without_events: readonly string[];
  readonly until: Day | null;
  readonly parameters: Draws | null;
  /** Places of sites, and sums of payers, that are other than the case's. */
  readonly places: Readonly<Record<string, number>>;
  readonly funds: Readonly<Record<string, number>>;
  /** How many times as many people come; in a reception only. */
  readonly arrivals?: number;
}

/** A scenario of a file, with what a question asks for the same. */
export interface Opened {
  id: string;
  title: string;
  question: string;
  changes: string[];
  asks: Pick<Question, "set" | "events" | "without_events" | "places" | "funds">;
}

export interface CaseEntry {
  id: string;
  title: string;
  country: string;
  summary: string;
  start: Day;
  end: Day;
}

export interface Cases {
  version: string;
  first: string;
  cases: CaseEntry[];
  /** Whether the first case was opened with its desk. */
  desk: boolean;
}

export interface Parameter {
  name: string;
  about: string;
  theory: string | null;
  unit: string;
  low: number;
  high: number;
  least: number;
  most: number;
  value: number;
  scope: string;
  prior: { text: string; q: (number | null)[] } | null;
  posterior: { q: (number | null)[] } | null;
  evidence: string[];
  assumed: string | null;
  about_value: string | null;
}

export interface MechanismInfo {
  name: string;
  about: string;
  subsystem: number | null;
  subsystem_label: string;
  switch: string | null;
  parameters: Parameter[];
}

export interface Target {
  id: string;
  label: string;
  measure: string;
  date: Day;
  start: Day | null;
  by: Record<string, string[]> | null;
  unit: string;
  value: number | null;
  range: [number, number] | null;
  at_most: number | null;
  at_least: number | null;
  about: string | null;
  evidence: string[];
  assumed: string | null;
  conflicting: string[];
  [more: string]: unknown;
}

export interface Observation {
  id: string;
  source: string;
  says: string | null;
  what: string;
  value: number | null;
  range: [number, number] | null;
  text: string | null;
  unit: string | null;
  date: Day | null;
  place: string | null;
  paragraph: string | null;
  confidence: string | null;
  conflicts: string[];
}

export interface Source {
  id: string;
  publisher: string;
  title: string;
  date: Day | null;
  kind: string;
  copy_of: string | null;
  reliability: string | null;
  notes: string | null;
}

export interface Named {
  id: string;
  label: string;
}

export interface Located {
  lon: number | null;
  lat: number | null;
}

export interface Crossing extends Named, Located {
  kind: string;
  state: string;
  country: string;
  host: boolean;
  about: string | null;
  evidence: string[];
  assumed: string | null;
  closed: { from: Day; to: Day }[];
}

export interface Site extends Named, Located {
  kind: string;
  country: string;
  capacity: number | null;
  opens: Day;
  closes: Day | null;
  about: string | null;
  evidence: string[];
  assumed: string | null;
}

/** Who pays for sites, and what they have; null without a limit. */
export interface Payer extends Named {
  funds: number | null;
  assumed: boolean;
}

export interface Station extends Located {
  state: string;
  label: string;
  soldiers: number;
}

export interface FieldInfo {
  name: string;
  unit: string;
  low: number;
  high: number;
  about: string;
}

export interface CounterfactualInfo {
  id: string;
  title: string;
  question: string;
  /** What differs from the case, in words: a phrase each. */
  changes: string[];
  readonly set: Readonly<Record<string, number>>;
  readonly events: readonly CaseEvent[];
  without: string[];
  without_effects: { event: string; field: string }[];
}

export interface CaseView extends CaseEntry {
  currency: string;
  ranks: Named[];
  branches: Named[];
  states: (Named & { region: string | null })[];
  crossings: Crossing[];
  sites: Site[];
  payers: Payer[];
  stations: Station[];
  roads: { from: string; to: string }[];
  readonly events: readonly CaseEvent[];
  fields: FieldInfo[];
  counterfactuals: CounterfactualInfo[];
  mechanisms: MechanismInfo[];
  targets: Target[];
  observations: Record<string, Observation>;
  sources: Record<string, Source>;
  /** Whether runs live under draws of the posterior unless a question says otherwise, and what it may say. */
  parameters: { default: Draws; choices: Draws[]; worlds: number; /** Worlds after which runs would repeat them. */ most?: number | null; /** The last day that worlds were selected for. */ selected_until?: Day | null };
  /** Of the case as it was read; what it is cited by. */
  digest: string;
  readonly baseline: Partial<Question> & { readonly case: string };
}

export type Numbers = (number | null)[];

export interface RecordPoint {
  date: Day;
  low: number | null;
  high: number | null;
  label: string;
  target: string;
}

/** What leads an answer day by day: the median of the runs with its bands, and the observed figures that count the same. */
export interface Course {
  days: Day[];
  label: string;
  unit: string;
  runs: number;
  q05: Numbers;
  q25: Numbers;
  median: Numbers;
  q75: Numbers;
  q95: Numbers;
  record: RecordPoint[];
}

export interface MapAnswer {
  days: Day[];
  runs: number;
  crossings: { id: string; mean: Numbers; cumulative: Numbers }[];
  sites: { id: string; people: Numbers }[];
  states: { id: string; soldiers: number; left: Numbers }[];
  /** Towns of garrisons, by the id of their state, and towns that people go to. */
  towns: { id: string; label: string; garrison: boolean; lon: number; lat: number }[];
}

/** A paired mean difference of a place on the last day, with its 95% interval. */
export interface PlaceDifference {
  id: string;
  mean: number | null;
  low: number | null;
  high: number | null;
  told: boolean;
}

export interface MapDifference {
  /** Shares of those posted there who left. */
  states: PlaceDifference[];
  /** Soldiers who went out. */
  crossings: PlaceDifference[];
  towns: MapAnswer["towns"];
}

export type Spec = Record<string, unknown> & { datasets?: Record<string, unknown> };

export interface TableData {
  columns: (string | { label: string; [more: string]: unknown })[];
  rows: unknown[][];
  [more: string]: unknown;
}

export interface FigureData {
  id: string;
  title: string;
  note: string;
  sentence: string;
  size: "wide" | "half" | "small";
  panels: { id: string; spec: Spec; alt: string }[];
  table: TableData;
}

export interface GridData {
  columns: string[];
  rows: string[][];
  /** From this column on there are numbers. */
  numbers: number;
}

/** A row of the table of outcomes as numbers: the strip is null of what is answered with yes or no. */
export interface OutcomeRow {
  id: string;
  strip: { q05: number; q25: number; median: number; q75: number; q95: number; observed_low: number | null; observed_high: number | null } | null;
}

export interface ShownTable {
  name: string;
  title: string;
  note: string;
  parts: { heading: string; grid: GridData }[];
}

/** A mechanism or an event that was taken away, and what that does to how many leave. */
export interface Cause {
  kind: "mechanism" | "event";
  id: string;
  label: string;
  about: string;
  mean: number;
  low: number | null;
  high: number | null;
  told: boolean;
}

/** How far a long answer is; `left`: seconds, where they can be told. */
export interface Progress {
  done: number;
  of: number;
  left: number | null;
  what: string;
}

/** A count or a chance that is forecast; `head` is its day in words, `parts` what each part of the pool says. */
export interface Ahead {
  label: string;
  head: string;
  measure?: string;
  date?: Day;
  parts?: string;
  median?: number;
  /** The median of the model alone. */
  model?: number | null;
  low?: number;
  high?: number;
  chance?: number;
}

/** A view as the server tells it; one that is not there yet tells how far it is, or waits to be asked. */
export interface ViewAnswer {
  progress?: Progress;
  wait?: { as_of: Day };
  question: string;
  title: string;
  finding: string;
  doubt: string;
  figures: FigureData[];
  tables: ShownTable[];
  notes: string[];
  evidence: { of: string; says: string }[];
  made: string[];
  command: string;
  fan?: Course;
  outcomes?: OutcomeRow[];
  /** What each chart of the answer finds, by its name. */
  titles?: Record<string, string>;
  dots?: Cause[];
  map?: MapDifference | null;
  places?: (Named & { kind: "host" | "town" | "site" })[];
  start?: Day;
  end?: Day;
  staff?: { least: number; most: number } | null;
  runs?: number;
  as_of?: Day;
  ahead?: Ahead[];
}

/** Charts of the report, by name. */
export interface Figures {
  figures: FigureData[];
}

export interface Term {
  name: string;
  about: string;
  value: number;
  base: boolean;
}

export interface Moment {
  date: Day;
  occasion: string;
  chose: string;
  options: { option: string; chance: number; odds: string; base: string | null; terms: Term[] }[];
}

export interface Life {
  soldier: number;
  about: string;
  run: number;
  events: { date: Day; what: string; where: string; who: string; detail: string }[];
  moments: Moment[];
  fate: string;
}

type Drawing = { features: { geometry: { type: string; coordinates: unknown } }[] } | { type: string; coordinates: unknown };

export interface Geo {
  topology?: Topology;
  lines?: Drawing | null;
  rivers?: Drawing | null;
  credit?: string;
  about?: string;
}

export interface Topology {
  arcs: [number, number][][];
  transform?: { scale: [number, number]; translate: [number, number] };
  objects: Record<string, { geometries: TopoGeometry[] }>;
}

export interface TopoGeometry {
  type: string;
  arcs: number[][] | number[][][];
  properties?: { n?: string; c?: string; i?: string };
}

export interface Look {
  config: Record<string, unknown>;
  light: Record<string, string>;
  dark: Record<string, string>;
}

/** What questions would take that are not answered yet: of runs that are kept nothing. */
export interface Cost {
  runs: number;
  soldiers: number;
  seconds: number;
  /** Bytes. */
  memory: number;
  /** Whether runs of these cases were measured here. */
  measured: boolean;
}

export type StreamLine =
  | { type: "begun"; key: string; of: number }
  | { type: "bands"; done: number }
  | { type: "progress"; done: number; failed: number; of: number; seconds: number; left: number | null }
  | { type: "done"; key: string; runs: number; failed: number; first_failure: string; reused: number; seconds: number }
  | { type: "failed"; error: string };
