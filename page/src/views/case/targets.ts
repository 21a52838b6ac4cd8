import type { Target } from "../../api/types";
import { isShare, number, percent, short } from "../../lib/format";

/** What a figure of the record says, in words. */
export function told(one: Target): string {
  const say = (v: number): string => (isShare(one.unit) ? percent(v) : Math.abs(v) < 20 ? short(v) : number(v));
  if (one.value !== null && one.value !== undefined) return say(one.value);
  if (one.range) return `${say(one.range[0])} to ${say(one.range[1])}`;
  if (one.at_most !== null && one.at_most !== undefined) return `at most ${say(one.at_most)}`;
  if (one.at_least !== null && one.at_least !== undefined) return `at least ${say(one.at_least)}`;
  return "an order, not a number";
}
