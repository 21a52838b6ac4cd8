import type { Term } from "../api/types";

/** The motives of an option, the heaviest first, without its base rate. */
export function motives(terms: Term[]): Term[] {
  const found = terms.filter((t) => !t.base && Math.abs(t.value) > 0.005);
  return found.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}
