/** Put labels beside their points so that none covers another: right, left, above, below, or not at all. */
export interface Wish {
  x: number;
  y: number;
  radius: number;
  width: number;
  weight: number;
}
export interface Put {
  x: number;
  y: number;
  anchor: "start" | "end" | "middle";
}

export type Rect = [left: number, top: number, right: number, bottom: number];

export function put(wishes: Wish[], frame: { width: number; height: number }, covered: Rect[] = []): (Put | null)[] {
  const taken: Rect[] = [...wishes.map((w): Rect => [w.x - w.radius, w.y - w.radius, w.x + w.radius, w.y + w.radius]), ...covered];
  const out: (Put | null)[] = wishes.map(() => null);
  const order = wishes.map((_, k) => k).sort((a, b) => (wishes[b]?.weight ?? 0) - (wishes[a]?.weight ?? 0));
  for (const k of order) {
    const w = wishes[k];
    if (!w) continue;
    const off = w.radius + 5;
    const tries: [Put, Rect][] = [
      [{ x: w.x + off, y: w.y + 4, anchor: "start" }, [w.x + off, w.y - 7, w.x + off + w.width, w.y + 7]],
      [{ x: w.x - off, y: w.y + 4, anchor: "end" }, [w.x - off - w.width, w.y - 7, w.x - off, w.y + 7]],
      [{ x: w.x, y: w.y - off, anchor: "middle" }, [w.x - w.width / 2, w.y - off - 11, w.x + w.width / 2, w.y - off + 3]],
      [{ x: w.x, y: w.y + off + 9, anchor: "middle" }, [w.x - w.width / 2, w.y + off - 3, w.x + w.width / 2, w.y + off + 11]],
    ];
    for (const [place, box] of tries) {
      if (box[0] < 2 || box[2] > frame.width - 2 || box[1] < 2 || box[3] > frame.height - 2) continue;
      if (taken.some((t, n) => n !== k && box[0] < t[2] && box[2] > t[0] && box[1] < t[3] && box[3] > t[1])) continue;
      taken.push(box);
      out[k] = place;
      break;
    }
  }
  return out;
}
