/** What draws the server's specifications; a piece of its own, so that the first view does not wait for it. */
import { expressionInterpreter } from "vega-interpreter";
import { View, parse, type Spec as VegaSpec } from "vega";
import { compile, type TopLevelSpec } from "vega-lite";
import type { Spec } from "../api/types";
import { fromOrdinal, ordinal } from "../lib/dates";
import { wrapped } from "../lib/wrap";

interface Packed {
  n: number;
  columns: Record<string, unknown[] | { from: string; step: number }>;
}

/** Rows from columns; dates that follow each other evenly stand as the first and the step in days. */
export function rows(packed: unknown): Record<string, unknown>[] {
  if (Array.isArray(packed)) return packed as Record<string, unknown>[];
  const { n, columns } = packed as Packed;
  const out: Record<string, unknown>[] = Array.from({ length: n }, () => ({}));
  for (const [key, column] of Object.entries(columns)) {
    if (Array.isArray(column)) column.forEach((value, k) => { const row = out[k]; if (row) row[key] = value; });
    else {
      const first = ordinal(column.from);
      out.forEach((row, k) => (row[key] = fromOrdinal(first + k * column.step)));
    }
  }
  return out;
}

const nothing = (): Promise<never> => Promise.reject(new Error("the page loads nothing"));

export interface Tell {
  (event: MouseEvent, value: unknown): void;
}

const lines = (text: unknown): string[] => (Array.isArray(text) ? text : [text]).filter((one): one is string => typeof one === "string" && one !== "");

// A heading that is wider than the window would leave no width for the plot: its lines are broken instead.
function broken(title: unknown, room: number): unknown {
  if (typeof title !== "object" || title === null || room <= 0) return title;
  const { text, subtitle, limit: _, ...rest } = title as Record<string, unknown>;
  const below = lines(subtitle).flatMap((one) => wrapped(one, room));
  return { ...rest, text: lines(text).flatMap((one) => wrapped(one, room, 12, 600)), ...(below.length ? { subtitle: below } : {}) };
}

// So does a legend: in a narrow window its entries stand in columns instead of one line.
const ENTRY = 220;
function narrow(config: Record<string, unknown>, room: number): Record<string, unknown> {
  const columns = Math.max(1, Math.floor(room / ENTRY));
  return columns > 3 ? config : { ...config, legend: { ...(config.legend as object | undefined), columns } };
}

/** Draw a specification into an element. No expression is compiled to code: they are interpreted. */
export async function drawn(holder: HTMLElement, spec: Spec, config: Record<string, unknown>, tell: Tell): Promise<View> {
  const whole = structuredClone(spec);
  for (const [name, packed] of Object.entries(whole.datasets ?? {})) if (whole.datasets) whole.datasets[name] = rows(packed);
  if (whole.title) whole.title = broken(whole.title, holder.clientWidth);
  const compiled = compile(whole as unknown as TopLevelSpec, { config: narrow(config, holder.clientWidth) as never });
  const view = new View(parse(compiled.spec as VegaSpec, {} as never, { ast: true } as never), {
    renderer: "svg",
    expr: expressionInterpreter as never,
    loader: { load: nothing, sanitize: nothing, http: nothing, file: nothing, options: {} } as never,
    logLevel: 1,
    tooltip: ((_: unknown, event: MouseEvent, __: unknown, value: unknown) => tell(event, value)) as never,
  });
  view.initialize(holder);
  await view.runAsync();
  return view;
}
