const WHOLE = new Intl.NumberFormat("en-GB", { maximumFractionDigits: 0 });

/** Units of what is counted, and so written as whole numbers; as in `words.py`, which makes the rule. */
const COUNTED = new Set(
  "people soldiers relatives children persons families meals messages currency requests decisions permits files plots uprisings pledges units positions".split(" "),
);

/** A size with so many places and thousands separated; halves go to the even digit. */
function fixed(value: number, places: number): string {
  const scaled = value * 10 ** places;
  const half = Number.isInteger(value * 2 ** (places + 1)) && Math.abs(scaled % 1) === 0.5;
  const [whole = "", rest] = (half ? (2 * Math.round(scaled / 2)) / 10 ** places : value).toFixed(places).split(".");
  return whole.replace(/\B(?=(\d{3})+$)/g, ",") + (rest ? `.${rest}` : "");
}

const none = (value: number | null | undefined): value is null | undefined => value === null || value === undefined || !Number.isFinite(value);

/** A number for reading in its unit: shares as per cent, counts whole, halves rounded up. A report writes it alike. */
export function number(value: number | null | undefined, unit = ""): string {
  if (none(value)) return "–";
  if (isShare(unit)) return percent(value);
  const size = Math.abs(value);
  const minus = value < 0 ? "−" : "";
  if (COUNTED.has(unit)) {
    const whole = Math.floor(value + 0.5);
    return (whole < 0 ? "−" : "") + fixed(Math.abs(whole), 0);
  }
  if (size >= 10 || Number.isInteger(size)) return minus + fixed(Math.floor(size + 0.5), 0);
  return minus + (size >= 1 ? fixed(size, 1) : String(Number(size.toPrecision(3))));
}

/** A share as per cent, with as many places as it needs to tell it from 0 and from 100. */
export function percent(value: number | null | undefined): string {
  if (none(value)) return "–";
  const edge = round(100 * Math.min(Math.abs(value), Math.abs(1 - value)), 9);
  const places = edge >= 2 || Number.isInteger(edge) ? 0 : Math.min(4, Math.max(1, Math.ceil(-Math.log10(edge))));
  return `${value < 0 ? "−" : ""}${fixed(Math.abs(100 * value), places)}%`;
}

/** Two ends as `low to high`, with as many places as two digits of its width need; one number if both read alike. */
export function interval(low: number | null | undefined, high: number | null | undefined, unit = ""): string {
  if (none(low) || none(high)) return `${number(low, unit)} to ${number(high, unit)}`;
  const ends = [low, high].map((end) => between(end, low, high, unit));
  return ends[0] === ends[1] ? (ends[0] ?? "") : ends.join(" to ");
}

/** A number beside its interval, with as many places. */
export function between(value: number | null | undefined, low: number | null | undefined, high: number | null | undefined, unit = ""): string {
  if (none(value) || none(low) || none(high) || low === high || COUNTED.has(unit)) return number(value, unit);
  const [scale, top] = isShare(unit) ? [100, 100] : [1, Infinity];
  const size = round(Math.abs(scale * value), 9);
  const digits = places(scale * low, scale * high, top);
  const text = fixed(digits ? size : Math.floor(size + 0.5), digits);
  return (value < 0 && /[1-9]/.test(text) ? "−" : "") + text + (isShare(unit) ? "%" : "");
}

const round = (value: number, places: number): number => Number(value.toFixed(places));

/** The places of an interval's ends; 0 and `top` stand only where they are meant. */
function places(low: number, high: number, top: number): number {
  const off = [low, high].flatMap((end) => (end === 0 || end === top ? [] : [0, top].map((edge) => 10 * Math.abs(end - edge))));
  const most = Math.min(9, Math.max(0, 1 - Math.floor(Math.log10(Math.min(high - low, ...off, 1e9)) + 1e-9)));
  for (let k = 0; k < most; k += 1) if ([low, high].every((x) => Math.abs(round(x, k) - x) < 1e-9)) return k;
  return most;
}

/** A number as a case gives it: not rounded to what can be seen, as what a model gives is. */
export function exact(value: number, unit = ""): string {
  if (isShare(unit)) return `${Number((100 * value).toPrecision(6))}%`;
  const [whole = "", rest] = String(Number(Math.abs(value).toPrecision(Number.isInteger(value) ? 15 : 6))).split(".");
  return (value < 0 ? "−" : "") + fixed(Number(whole), 0) + (rest ? `.${rest}` : "");
}

/** A range as a case gives it; an end that is missing is open. */
export function span(low: number | null, high: number | null, unit = ""): string {
  if (low === null) return high === null ? "–" : `at most ${exact(high, unit)}`;
  if (high === null) return `at least ${exact(low, unit)}`;
  return low === high ? exact(low, unit) : `${exact(low, unit)} to ${exact(high, unit)}`;
}

export function isShare(unit: string): boolean {
  return unit === "share" || unit === "fraction" || unit === "probability";
}

/** A short label for an axis: 12k, 1.5M. */
export function axis(value: number, unit = "", top = value): string {
  if (isShare(unit)) return `${Number((100 * value).toPrecision(3))}%`;
  if (value === 0) return "0";
  if (value < 0) return `−${axis(-value, unit, top)}`;
  const size = Math.abs(top);
  if (size >= 1e6) return `${Number((value / 1e6).toPrecision(3))}M`;
  if (size >= 1e4) return `${Number((value / 1e3).toPrecision(3))}k`;
  if (size >= 1e3) return WHOLE.format(value);
  return String(Number(value.toPrecision(3)));
}

/** A value of a parameter: up to four significant digits, no noise. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return "–";
  if (Number.isInteger(value) && Math.abs(value) < 1e15) return WHOLE.format(value);
  return String(Number(value.toPrecision(4)));
}

/** A text that begins a sentence. */
export function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A count of things in words: `1 run`, `40 runs`. */
export function counted(n: number, one: string, many = `${one}s`): string {
  return `${WHOLE.format(n)} ${n === 1 ? one : many}`;
}

/** Bytes for reading. */
export function bytes(value: number): string {
  return value >= 1e9 ? `${(value / 1e9).toFixed(1)} GB` : `${Math.ceil(value / 1e8) * 100} MB`;
}

/** What questions would take, in words. */
export function costs(one: { seconds: number; memory: number; measured: boolean }): string {
  return `about ${seconds(one.seconds)} and ${bytes(one.memory)} of memory${one.measured ? "" : ", roughly: this case was not run here before"}`;
}

/** A span of seconds. */
export function seconds(value: number): string {
  if (value < 100) return `${Math.ceil(value)} s`;
  if (value < 6_000) return `${Math.round(value / 60)} minutes`;
  return value < 172_800 ? `${Math.round(value / 3_600)} hours` : `${Math.round(value / 86_400)} days`;
}

/** How far a long answer is, in words. */
export function underWay(now: { done: number; of: number; left: number | null; what: string }): string {
  return `${sentence(now.what)}: ${now.done} of ${counted(now.of, "run")}${now.left === null ? "" : `, about ${seconds(now.left)} more for this step`}. It is kept once it is there.`;
}
