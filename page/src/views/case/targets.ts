import type { Target } from "../../api/types";
import { span } from "../../lib/format";

/** What a figure of the record says, in words. */
export function told(one: Target): string {
  const [low, high] = one.range ?? [one.value ?? one.at_least, one.value ?? one.at_most];
  return low === undefined && high === undefined ? "an order, not a number" : span(low ?? null, high ?? null, one.unit);
}
