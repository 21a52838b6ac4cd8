import { describe, expect, it } from "vitest";
import { brieflyTold, occasions, type Occasion } from "../src/lib/occasions";

const one = (id: string, at: number, weight: number, title = `Something of note called ${id}`): Occasion => ({ id, at, weight, title });

describe("names of events above a chart", () => {
  it("tell a title in few words and cut between them", () => {
    expect(brieflyTold("Guardsmen rise at Cotiza (again); others look on")).toBe("Guardsmen rise at Cotiza");
    expect(brieflyTold("Military attaché in Washington sides with the challenger", 32)).toBe("Military attaché in Washington …");
    expect(brieflyTold("First active general recognises the challenger", 40)).toBe("First active general recognises …");
  });

  it("give the weightiest the first choice, and leave out what has no room", () => {
    const told = occasions([one("a", 10, 1), one("b", 14, 5), one("c", 18, 3), one("d", 22, 2), one("e", 26, 4)], 300);
    expect(told.some((t) => t.id === "b")).toBe(true);
    expect(told.length).toBeLessThan(5);
  });

  it("never cover each other, nor the line of another name, and stay inside the plot", () => {
    for (const width of [250, 390, 660, 1100])
      for (let seed = 1; seed < 40; seed += 1) {
        let state = seed;
        const next = (): number => (state = (state * 48271) % 2147483647) / 2147483647;
        const told = occasions(Array.from({ length: 20 }, (_, k) => one(`event ${k}`, next() * width, Math.floor(next() * 5))), width);
        expect(told.length).toBeGreaterThan(0);
        const boxes = told.map((t) => ({ ...t, long: 0.58 * 11 * t.text.length + 4 })).map((t) => ({ ...t, left: t.anchor === "start" ? t.at : t.at - t.long, right: t.anchor === "start" ? t.at + t.long : t.at }));
        for (const a of boxes) {
          expect(a.left).toBeGreaterThanOrEqual(0);
          expect(a.right).toBeLessThanOrEqual(width);
          for (const b of boxes) {
            if (a === b) continue;
            if (a.row === b.row) expect(a.right < b.left || b.right < a.left).toBe(true);
            if (a.row > b.row) expect(b.at > a.left && b.at < a.right).toBe(false);
          }
        }
      }
  });
});
