import { put, type Put } from "../lib/labels";
import { boundsOf, fitted, type Projection } from "../lib/projection";

export interface Spot {
  kind: "crossing" | "site";
  id: string;
  label: string;
  lon: number;
  lat: number;
}

export interface Cluster {
  x: number;
  y: number;
  label: string;
  spots: Spot[];
}

/** Spots that would cover each other on the map, as one. */
export function clustered(spots: Spot[], projection: Projection, apart: number): Cluster[] {
  const found: Cluster[] = [];
  for (const spot of spots) {
    const [x, y] = projection.at(spot.lon, spot.lat);
    const near = found.find((c) => Math.hypot(c.x - x, c.y - y) < apart);
    if (near) near.spots.push(spot);
    else found.push({ x, y, label: "", spots: [spot] });
  }
  for (const one of found) {
    const crossings = one.spots.filter((s) => s.kind === "crossing");
    const first = crossings[0] ?? one.spots[0];
    const ways = crossings.length - 1;
    one.label = (first?.label ?? "") + (ways > 0 ? ` and ${ways} more` : "");
  }
  return found;
}

export interface Close extends Spot {
  x: number;
  y: number;
  short: string;
  text: Put | null;
}

export interface Inset {
  width: number;
  height: number;
  title: string;
  spots: Close[];
}

/** The spots of the fullest cluster, drawn large in a frame of their own; null where none is full. */
export function inset(all: Spot[], groups: Cluster[], frame: { width: number; height: number }): Inset | null {
  const fullest = groups.reduce<Cluster | null>((best, g) => (g.spots.length > (best?.spots.length ?? 3) ? g : best), null);
  if (!fullest || frame.width < 120) return null;
  // One place that lies far off would shrink all the others: it stays on the map alone.
  const middle = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const lon = middle(fullest.spots.map((s) => s.lon));
  const lat = middle(fullest.spots.map((s) => s.lat));
  const inside = all.filter((s) => fullest.spots.includes(s) && Math.hypot(s.lon - lon, s.lat - lat) < 0.25);
  if (inside.length < 4) return null;
  const to = fitted(boundsOf(inside.map((s) => [s.lon, s.lat])), frame.width, frame.height, 30);
  const placed = inside.map((s) => {
    const [x, y] = to.at(s.lon, s.lat);
    return { ...s, x, y, short: shortened(s.label), text: null as Put | null };
  });
  const texts = put(
    placed.map((p) => ({ x: p.x, y: p.y, radius: 10, width: 6 * (p.short.length + 5), weight: p.kind === "site" ? 1 : 2 })),
    frame,
  );
  placed.forEach((p, k) => (p.text = texts[k] ?? null));
  return { ...frame, title: `Enlarged: around ${fullest.label}, where ways and sites lie close`, spots: placed };
}

function shortened(label: string): string {
  return label.length > 28 ? `${label.slice(0, 26).trim()}…` : label;
}
