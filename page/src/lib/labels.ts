/** Put labels at their points so that none covers another or a mark: in the first free place, or not at all. */
export interface Wish {
  x: number;
  y: number;
  radius: number;
  width: number;
  weight: number;
  /** Whether names of others, that are not soft themselves, may cover its mark. */
  soft?: boolean;
  /** Where the middle of the label may stand, the best first; without it, beside the mark on eight sides. */
  at?: [number, number][];
}
export interface Put {
  x: number;
  y: number;
  anchor: "start" | "end" | "middle";
}

export type Rect = [left: number, top: number, right: number, bottom: number];

const NOWHERE: Rect = [Infinity, Infinity, -Infinity, -Infinity];

export function put(wishes: Wish[], frame: { width: number; height: number }, covered: Rect[] = []): (Put | null)[] {
  const taken: Rect[] = [...wishes.map((w): Rect => (w.at ? NOWHERE : [w.x - w.radius, w.y - w.radius, w.x + w.radius, w.y + w.radius])), ...covered];
  const out: (Put | null)[] = wishes.map(() => null);
  const order = wishes.map((_, k) => k).sort((a, b) => (wishes[b]?.weight ?? 0) - (wishes[a]?.weight ?? 0));
  for (const k of order) {
    const w = wishes[k];
    if (!w) continue;
    for (const place of w.at ? w.at.map(([x, y]): Put => ({ x, y: y + 4, anchor: "middle" })) : beside(w)) {
      const box = boxOf(place, w.width);
      if (box[0] < 2 || box[2] > frame.width - 2 || box[1] < 2 || box[3] > frame.height - 2) continue;
      if (taken.some((t, n) => n !== k && !(wishes[n]?.soft && !w.soft && !w.at) && meet(box, t))) continue;
      taken.push(box);
      out[k] = place;
      break;
    }
  }
  return out;
}

/** What a label of 11 pixels covers. */
export function boxOf(place: Put, width: number): Rect {
  const left = place.anchor === "start" ? place.x : place.anchor === "end" ? place.x - width : place.x - width / 2;
  return [left, place.y - 11, left + width, place.y + 3];
}

export function meet(a: Rect, b: Rect): boolean {
  return a[0] < b[2] && a[2] > b[0] && a[1] < b[3] && a[3] > b[1];
}

function beside({ x, y, radius }: Wish): Put[] {
  const off = radius + 5;
  const slant = radius * 0.7 + 4;
  return [
    { x: x + off, y: y + 4, anchor: "start" },
    { x: x - off, y: y + 4, anchor: "end" },
    { x, y: y - off, anchor: "middle" },
    { x, y: y + off + 9, anchor: "middle" },
    { x: x + slant, y: y - slant, anchor: "start" },
    { x: x + slant, y: y + slant + 8, anchor: "start" },
    { x: x - slant, y: y - slant, anchor: "end" },
    { x: x - slant, y: y + slant + 8, anchor: "end" },
  ];
}

let pen: CanvasRenderingContext2D | null = null;

/** The width of a text in the page's letters, with a little room. */
export function wide(text: string, size = 11, weight = 400): number {
  if (typeof document === "undefined") return 0.58 * size * text.length;
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 0.58 * size * text.length;
  pen.font = `${weight} ${size}px Inter, system-ui, sans-serif`;
  return pen.measureText(text).width + 4;
}
