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

/** Where two courses part: the first entry that differs, by date; null where none does. */
export function firstApart(here: Dated, there: Dated): Apart | null {
  for (let k = 0; k < Math.max(here.length, there.length); k++) {
    const one = here[k];
    const other = there[k];
    if (one && other && one.date === other.date && one.text === other.text) continue;
    const day = [one?.date, other?.date].filter((d) => d !== undefined).sort()[0];
    if (day === undefined) return null;
    return { day, here: one?.date === day ? one.text : "", there: other?.date === day ? other.text : "" };
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
  const side = (text: string): string => (text ? text.replace(/\.$/, "") : "nothing happens to him that day");
  const parts = `The two lives first differ on ${spoken(found.day)}. With the changes, ${side(found.here)}; in ${called}, ${side(found.there)}.`;
  return here.fate === there.fate ? `${parts} He ends in the same place.` : parts;
}
