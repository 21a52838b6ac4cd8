import type { CaseView, Parameter } from "../api/types";

/** How much narrower the posterior's middle half is than the prior's, 0 to 1; 0 where nothing is known. */
export function informed(one: Parameter): number {
  const prior = one.prior?.q;
  const posterior = one.posterior?.q;
  if (!prior || !posterior) return 0;
  const spread = (q: (number | null)[]): number => (q[15] ?? 0) - (q[5] ?? 0);
  return spread(prior) > 0 ? Math.max(0, 1 - spread(posterior) / spread(prior)) : 0;
}

/** The assumptions that stand beside every view: those the record says most about, one or two a mechanism. */
export function keyParameters(view: CaseView, most = 6): Parameter[] {
  const all = view.mechanisms
    .filter((m) => m.name !== "force")
    .flatMap((m) => m.parameters.filter((p) => !p.name.endsWith(".on")).map((p) => ({ p, m: m.name, by: informed(p) })));
  all.sort((a, b) => b.by - a.by);
  const found: Parameter[] = [];
  const used = new Map<string, number>();
  for (const one of all) {
    const n = used.get(one.m) ?? 0;
    if (n >= 1) continue;
    used.set(one.m, n + 1);
    found.push(one.p);
    if (found.length === most) break;
  }
  return found;
}
