import type { CaseView, Wanted } from "../../api/types";

/** By what those who leave can be told apart, with the variable that counts them so. */
export const GROUPS = {
  total: { label: "Total", variable: "exits_rank", by: null },
  rank: { label: "Rank", variable: "exits_rank", by: "rank" },
  branch: { label: "Branch", variable: "exits_branch", by: "branch" },
  route: { label: "Route", variable: "exits_route", by: "route" },
  outcome: { label: "Outcome", variable: "exits_rank", by: "outcome" },
} as const;
export type GroupName = keyof typeof GROUPS;

export const VOICE: Wanted[] = [
  { variable: "plots", by: "aim" },
  { variable: "plotters", by: "aim" },
  { variable: "founded", cumulative: true },
  { variable: "pledged", cumulative: true },
  { variable: "reneged", cumulative: true },
  { variable: "risings", cumulative: true },
  { variable: "rising_size", cumulative: true },
  { variable: "opposed" },
  { variable: "belief" },
];

export const RECEPTION: Wanted[] = [
  { variable: "meals" },
  { variable: "files_open" },
  { variable: "cost", cumulative: true },
  { variable: "unpaid", cumulative: true },
  { variable: "desk_waiting" },
  { variable: "families" },
  { variable: "site_children" },
  { variable: "morale" },
  { variable: "tension" },
];

/** The places open in the host's sites on each day, summed; null where a site has no limit. */
export function places(view: CaseView, day: string): number | null {
  const open = view.sites.filter((s) => s.opens <= day && (s.closes === null || day <= s.closes));
  if (!open.length || open.some((s) => s.capacity === null)) return null;
  return open.reduce((sum, s) => sum + (s.capacity ?? 0), 0);
}
