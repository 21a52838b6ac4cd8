import { framed, inside as insideOf, scaleBar, type Area, type Frame } from "../lib/atlas";
import { put, wide, type Put, type Rect, type Wish } from "../lib/labels";

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

export interface Town {
  label: string;
  lon: number;
  lat: number;
  weight: number;
}

/** Spots that would cover each other on the map, as one. */
export function clustered(spots: Spot[], frame: Frame, apart: number): Cluster[] {
  const found: Cluster[] = [];
  for (const spot of spots) {
    const [x, y] = frame.at(spot.lon, spot.lat);
    const near = found.find((c) => Math.hypot(c.x - x, c.y - y) < apart);
    if (near) near.spots.push(spot);
    else found.push({ x, y, label: "", spots: [spot] });
  }
  for (const one of found) {
    const crossings = one.spots.filter((s) => s.kind === "crossing");
    const first = crossings[0] ?? one.spots[0];
    const ways = crossings.length - 1;
    one.label = shortened(first?.label ?? "") + (ways > 0 ? ` and ${ways} more` : "");
  }
  return found;
}

/** The spots of the fullest cluster, to be drawn large in a frame of their own; none where none is full. */
export function crowd(groups: Cluster[]): { title: string; spots: Spot[] } | null {
  const fullest = groups.reduce<Cluster | null>((best, g) => (g.spots.length > (best?.spots.length ?? 3) ? g : best), null);
  if (!fullest) return null;
  // One place that lies far off would shrink all the others: it stays on the map alone.
  const middle = (values: number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
  const lon = middle(fullest.spots.map((s) => s.lon));
  const lat = middle(fullest.spots.map((s) => s.lat));
  const spots = fullest.spots.filter((s) => Math.hypot(s.lon - lon, s.lat - lat) < 0.25);
  return spots.length < 4 ? null : { title: `Enlarged: around ${fullest.label}, where ways and sites lie close`, spots };
}

const REACH = 4;

/** The places around the busiest one, in degrees: the region of a border. */
export function regionOf(spots: Spot[], size: (spot: Spot) => number): Spot[] {
  const most = spots.reduce<Spot | null>((best, s) => (best === null || size(s) > size(best) ? s : best), null);
  return most ? spots.filter((s) => Math.hypot(s.lon - most.lon, s.lat - most.lat) < REACH) : [];
}

export function crowdFrame(spots: Spot[], width: number, height: number): Frame {
  return framed([], spots.map((s): [number, number] => [s.lon, s.lat]), width, height, 34);
}

export function shortened(label: string): string {
  const plain = label.replace(/\s*\([^)]*\)/g, "");
  return plain.length > 28 ? `${plain.slice(0, 26).trim()}…` : plain;
}

export interface Bar {
  km: number;
  width: number;
  x: number;
  y: number;
  box: Rect;
}

/** The scale bar in the first corner that holds no mark: below left, below right, above right, above left. */
export function cornerOf(marks: { x: number; y: number }[], frame: Frame): Bar {
  const bar = scaleBar(frame.kilometres, Math.min(110, frame.width / 4));
  const [far, low] = [frame.width - bar.width - 10, frame.height - 8];
  const corners = [[10, low], [far, low], [far, 24], [10, 24]].map(([x = 0, y = 0]): Bar => ({ ...bar, x, y, box: [x - 8, y - 22, x + bar.width + 8, y + 8] }));
  const free = corners.find(({ box }) => !marks.some((m) => m.x > box[0] - 16 && m.x < box[2] + 16 && m.y > box[1] - 16 && m.y < box[3] + 16));
  return free ?? (corners[0] as Bar);
}

export interface Written {
  text: string;
  more: string;
  put: Put;
  kind: "place" | "town" | "country";
}
export interface Mark {
  x: number;
  y: number;
  radius: number;
  text: string;
  more: string;
  /** The widest that the number behind the name becomes. */
  room: string;
  weight: number;
}

const OF_COUNTRIES = 1e9;
const OF_PLACES = 1e12;

/** The names of a map: places first, then countries, then towns; none covers another. */
export function named(marks: Mark[], towns: Town[], lands: Area[], frame: Frame, covered: Rect[] = []): (Written | null)[] {
  const wishes: Wish[] = [];
  const texts: Omit<Written, "put">[] = [];
  for (const m of marks) {
    wishes.push({ ...m, width: wide(`${m.text} `) + (m.room ? wide(m.room, 11, 600) : 0), weight: OF_PLACES + m.weight });
    texts.push({ text: m.text, more: m.more, kind: "place" });
  }
  for (const land of lands.filter((l) => l.name)) {
    const width = wide(land.name.toUpperCase(), 11) + land.name.length;
    const at = insideOf(land, frame, width);
    if (!at.length) continue;
    wishes.push({ x: 0, y: 0, radius: 0, width, weight: OF_COUNTRIES, at });
    texts.push({ text: land.name, more: "", kind: "country" });
  }
  for (const town of towns) {
    const [x, y] = frame.at(town.lon, town.lat);
    if (x < 0 || y < 0 || x > frame.width || y > frame.height) continue;
    wishes.push({ x, y, radius: 2.5, width: wide(town.label, 10), weight: town.weight, soft: true });
    texts.push({ text: town.label, more: "", kind: "town" });
  }
  return put(wishes, frame, covered).map((place, k) => {
    const text = texts[k];
    return place && text ? { ...text, put: place } : null;
  });
}
