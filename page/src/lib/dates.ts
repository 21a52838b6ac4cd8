import type { Day } from "../api/types";

const DAY = 86_400_000;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const LONG = [
  "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
];

/** Days since 1970; not a number for what is no day. */
export function ordinal(day: Day): number {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? Math.round(Date.parse(`${day}T00:00:00Z`) / DAY) : NaN;
}

export function fromOrdinal(n: number): Day {
  return new Date(n * DAY).toISOString().slice(0, 10);
}

export function isDay(text: unknown): text is Day {
  return typeof text === "string" && Number.isFinite(ordinal(text)) && fromOrdinal(ordinal(text)) === text;
}

export function between(first: Day, last: Day): number {
  return ordinal(last) - ordinal(first);
}

/** `23 Feb`; of a month or a year alone, just that. */
export function brief(day: Day): string {
  if (day.length < 10) return day.length < 7 ? "" : (MONTHS[Number(day.slice(5, 7)) - 1] ?? "");
  return `${Number(day.slice(8, 10))} ${MONTHS[Number(day.slice(5, 7)) - 1] ?? ""}`;
}

/** `23 Feb 2019`. */
export function full(day: Day): string {
  return `${brief(day)} ${day.slice(0, 4)}`.trim();
}

/** `23 February 2019`. */
export function spoken(day: Day): string {
  return `${Number(day.slice(8, 10))} ${LONG[Number(day.slice(5, 7)) - 1] ?? ""} ${day.slice(0, 4)}`;
}

/** Days that an axis of days names, at most so many: the firsts of months, or weeks apart where there are few of these. */
export function dayTicks(first: Day, last: Day, most: number): { day: Day; label: string }[] {
  const found = months(first, last, most);
  if (found.length > 2) return found;
  const span = between(first, last);
  const step = [1, 7, 14, 28].find((days) => span / days < most / 2) ?? 28; // their labels are wider
  return Array.from({ length: Math.floor(span / step) + 1 }, (_, k) => fromOrdinal(ordinal(first) + k * step)).map((day) => ({ day, label: brief(day) }));
}

/** The firsts of months inside a span, with the label of each, that of a later January its year; every `step` months so that they fit. */
export function months(first: Day, last: Day, most: number): { day: Day; label: string }[] {
  const found: { day: Day; label: string }[] = [];
  let year = Number(first.slice(0, 4));
  let month = Number(first.slice(5, 7));
  const end = ordinal(last);
  for (;;) {
    const day = `${year}-${String(month).padStart(2, "0")}-01`;
    if (ordinal(day) > end) break;
    if (ordinal(day) >= ordinal(first)) found.push({ day, label: month === 1 && found.length ? String(year) : (MONTHS[month - 1] ?? "") });
    month += 1;
    if (month > 12) [year, month] = [year + 1, 1];
  }
  const step = [1, 2, 3, 4, 6, 12].find((s) => found.length / s <= most) ?? 12;
  return found.filter((_, k) => k % step === 0);
}
