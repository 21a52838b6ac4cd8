import type { Day, Life } from "../api/types";
import { spoken } from "./dates";

export interface Told {
  events: readonly { date: Day; text: string }[];
  sentences: Life["sentences"];
  fate: string;
}

export interface Apart {
  day: Day;
  /** What happens on that day first, on either side; empty where nothing does. */
  here: string;
  there: string;
}

type Dated = readonly { date: Day; text: string }[];

/** Where two courses part: the first day on which something stands on one side alone; null where there is none. */
export function firstApart(here: Dated, there: Dated): Apart | null {
  for (const day of [...new Set([...here, ...there].map((one) => one.date))].sort()) {
    const [ours, theirs] = [here, there].map((side) => side.filter((one) => one.date === day).map((one) => one.text));
    const only = (mine: string[] = [], other: string[] = []): string => mine.find((text) => !other.includes(text)) ?? "";
    const found = { day, here: only(ours, theirs), there: only(theirs, ours) };
    if (found.here || found.there) return found;
  }
  return null;
}

/** What the change does to this soldier, in a sentence or two; `called` names the other side. */
export function apart(here: Told, there: Told, called: string): string {
  const found = firstApart(here.events, there.events);
  if (!found) {
    const weighed = firstApart(here.sentences, there.sentences);
    if (!weighed) return "Nothing changes for this soldier.";
    return `Nothing that happens to this soldier changes. His reasons weigh otherwise from ${spoken(weighed.day)} on.`;
  }
  const side = (text: string): string => (text ? text.replace(/\.$/, "") : "nothing of the kind happens to him that day");
  const parts = `The two lives first differ on ${spoken(found.day)}. With the changes, ${side(found.here)}; in ${called}, ${side(found.there)}.`;
  return here.fate === there.fate ? `${parts} He ends in the same place.` : parts;
}
