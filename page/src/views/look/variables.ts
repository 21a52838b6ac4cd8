import type { CaseView, Wanted } from "../../api/types";

/** By what those who leave can be told apart. */
export const GROUPS = { total: "Total", rank: "Rank", branch: "Branch", route: "Route", outcome: "Outcome" } as const;
export type GroupName = keyof typeof GROUPS;

/** What can be counted of them by rank and by branch, with the variable or measure that counts it so. */
export const COUNTED = {
  left: { label: "Left their posts", rank: "exits_rank", branch: "exits_branch" },
  crossed: { label: "Crossed out of the country", rank: "crossed_rank", branch: "crossed_branch" },
  registered: { label: "Registered at the host", rank: "registered_rank", branch: "registered_branch" },
  quiet: { label: "Deserted quietly", rank: "quiet_desertion", branch: "quiet_desertion" },
  declared: { label: "Declared for the challenger", rank: "open_defection", branch: "open_defection" },
} as const;
export type CountedName = keyof typeof COUNTED;

/** What has to be asked for of those who leave, to tell them apart so. */
export function leaving(by: GroupName, counted: CountedName, cumulative: boolean): Wanted[] {
  if (by === "total") return ["exits_rank", "left_abroad", "registered"].map((variable) => ({ variable, by: null, cumulative }));
  if (by === "route") return [{ variable: "exits_route", by, cumulative }];
  if (by === "outcome") return [{ variable: "exits_rank", by, cumulative }];
  return [{ variable: COUNTED[counted][by], by, cumulative }];
}

export const VOICE: Wanted[] = [
  { variable: "plots", by: "aim" },
  { variable: "plotters", by: "aim" },
  { variable: "founded", cumulative: true },
  { variable: "pledged", cumulative: true },
  { variable: "reneged", cumulative: true },
  { variable: "uprisings", cumulative: true },
  { variable: "uprising_size", cumulative: true },
  { variable: "opposed" },
  { variable: "belief" },
];

export const RECEPTION: Wanted[] = [
  { variable: "meals" },
  { variable: "files_open" },
  { variable: "cost", cumulative: true },
  { variable: "unpaid", cumulative: true },
  { variable: "asylum_filed", cumulative: true },
  { variable: "awaiting_registration" },
  { variable: "programme_soldiers" },
  { variable: "families" },
  { variable: "site_children" },
  { variable: "morale" },
  { variable: "tension" },
];

/** The sites of the host: who is in an embassy has not left the country. */
export function ofTheHost(view: CaseView): CaseView["sites"] {
  return view.sites.filter((s) => s.kind !== "embassy");
}

/** The beds in the host's sites on each day, summed; null where a site has no limit. */
export function beds(view: CaseView, day: string): number | null {
  const open = ofTheHost(view).filter((s) => s.opens <= day && (s.closes === null || day <= s.closes));
  if (open.some((s) => s.capacity === null)) return null;
  return open.reduce((sum, s) => sum + (s.capacity ?? 0), 0);
}
