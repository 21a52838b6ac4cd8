import type { Term } from "../api/types";

/** The motives of an option, the heaviest first, and the chance that its base rate alone would give it (null: it has none). */
export function weighed(terms: Term[]): { motives: Term[]; base: number | null } {
  const motives = terms.filter((t) => !t.base && Math.abs(t.value) > 0.005);
  const rate = terms.filter((t) => t.base).reduce((sum, t) => sum + t.value, 0);
  return {
    motives: motives.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)),
    base: rate === 0 ? null : 1 / (1 + Math.exp(-rate)),
  };
}
