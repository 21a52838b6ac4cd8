/** A top for an axis that starts at nought, and its ticks: round numbers, at most `count` steps. */
export function ticks(most: number, count = 4): number[] {
  if (!(most > 0)) return [0, 1];
  const raw = most / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = ([1, 2, 2.5, 5, 10].find((s) => s * power >= raw * 0.999) ?? 10) * power;
  const found: number[] = [];
  for (let k = 0; ; k += 1) {
    const value = Number((k * step).toPrecision(12));
    found.push(value);
    if (value >= most) break;
  }
  return found;
}

/** Ticks within a span that holds nought, for an axis that ends where its data do; round steps, at most `count` to a side. */
export function within(low: number, high: number, count: number): number[] {
  const step = ticks(Math.max(high, -low, 1), count)[1] ?? 1;
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.max(0, Math.floor(high / step) - first + 1) }, (_, k) => (first + k) * step);
}

/** The index nearest to a value in a sorted list of numbers. */
export function nearest(sorted: number[], value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) > value) high = middle;
    else low = middle;
  }
  return Math.abs((sorted[high] ?? 0) - value) < Math.abs((sorted[low] ?? 0) - value) ? high : low;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
