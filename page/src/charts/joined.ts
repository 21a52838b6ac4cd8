import type { Board, Group, RecordPoint, Series } from "../api/types";

/** The other side of a comparison, once it is drawn from as many runs: of other runs it would be no comparison. */
export function likewise(mine: Series | null, theirs: Series | null): Series | null {
  return mine && theirs && mine.runs === theirs.runs ? theirs : null;
}

type One = NonNullable<Board["series"][number]>;

/**
 * Several series of a board as one grid of fans, each with its own unit where they differ, and with the points of
 * the record on the fans they belong to.
 */
export function joined(board: Board, parts: (One | null)[], called: { label: string; name?: (one: One, group: Group) => string; unit?: (unit: string) => string }): Series | null {
  const found = parts.flatMap((one) => one ?? []);
  const first = found[0];
  if (!first) return null;
  const units = found.map((one) => (called.unit ?? ((u: string) => u))(one.unit));
  const mixed = new Set(units).size > 1;
  // Two series may both call a group `soldiers`: with their number they stay apart.
  const own = (id: string, k: number): string => (found.length > 1 ? `${k}.${id}` : id);
  const made = (k: number, group: Group): Group => {
    const one = found[k] as One;
    return { ...group, id: own(group.id, k), label: called.name?.(one, group) ?? group.label, ...(mixed ? { unit: units[k] ?? "" } : {}) };
  };
  const record = found.flatMap((one, k) => one.record.map((p): RecordPoint => ({ ...p, group: own(p.group ?? one.groups[0]?.id ?? "", k) })));
  return {
    days: board.days, runs: board.runs, label: called.label, unit: mixed ? "" : (units[0] ?? ""), record,
    groups: found.flatMap((one, k) => one.groups.map((g) => made(k, g))),
    sums: found.flatMap((one, k) => (one.sums ?? []).map((g) => made(k, g))),
  };
}
