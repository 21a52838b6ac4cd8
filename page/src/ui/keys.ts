import type { Parameter } from "../api/types";

/** How much narrower the posterior's middle half is than the prior's, 0 to 1; 0 where nothing is known. */
export function informed(one: Parameter): number {
  const prior = one.prior?.q;
  const posterior = one.posterior?.q;
  if (!prior || !posterior) return 0;
  const spread = (q: (number | null)[]): number => (q[15] ?? 0) - (q[5] ?? 0);
  return spread(prior) > 0 ? Math.max(0, 1 - spread(posterior) / spread(prior)) : 0;
}
