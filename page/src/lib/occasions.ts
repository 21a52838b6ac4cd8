/** Names of dated events above a chart: the largest that fit, none over another. */
import { wide } from "./labels";

export interface Occasion {
  id: string;
  at: number;
  title: string;
  /** How much the event does: the number of its effects, more where the question changed it. */
  weight: number;
}

export interface Told extends Occasion {
  text: string;
  row: number;
  anchor: "start" | "end";
}

/** Most letters of a name, tried one after another until it fits. */
const LONGEST = [70, 44, 32, 22];
const GAP = 10;
const SIZE = 11;
/** Most names on a chart: more would hide what they name. */
const MOST = 6;

/** A title in a few words: without brackets and what follows a semicolon or comma, cut between words. */
export function brieflyTold(title: string, longest = 44): string {
  const plain = title.replace(/\s*\([^)]*\)/g, "").split(/[;,]/)[0]?.trim() ?? "";
  if (plain.length <= longest) return plain;
  const words = plain.slice(0, longest).split(" ").slice(0, -1);
  while (words.length > 1 && /^(a|an|and|are|as|by|for|from|in|is|of|on|the|to|with)$/i.test(words[words.length - 1] ?? "")) words.pop();
  return `${words.join(" ")} …`;
}

/** Put names in rows above a plot of this width, `at` in px. The weightiest have the first choice. */
export function occasions(all: Occasion[], width: number, rows = 3): Told[] {
  const found: (Told & { left: number; right: number })[] = [];
  const order = all.map((one, k) => ({ one, k })).sort((a, b) => b.one.weight - a.one.weight || a.k - b.k);
  // The line from a name down to the plot crosses the rows below it: no name may stand there.
  const free = (left: number, right: number, row: number, at: number): boolean =>
    left >= 0 && right <= width &&
    !found.some((f) => (f.row === row && left < f.right + GAP && right > f.left - GAP) || (f.row > row && at > f.left - 3 && at < f.right + 3) || (f.row < row && f.at > left - 3 && f.at < right + 3));
  for (const { one } of order) {
    if (found.length >= MOST) break;
    const put = LONGEST.flatMap((longest) => {
      const text = brieflyTold(one.title, longest);
      const long = wide(text, SIZE) + 4;
      return Array.from({ length: rows }, (_, row) => row).flatMap((row) =>
        (["start", "end"] as const).map((anchor) => ({ text, row, anchor, left: anchor === "start" ? one.at : one.at - long, right: anchor === "start" ? one.at + long : one.at })),
      );
    }).find((p) => free(p.left, p.right, p.row, one.at));
    if (put) found.push({ ...one, ...put });
  }
  return found.sort((a, b) => a.at - b.at);
}
