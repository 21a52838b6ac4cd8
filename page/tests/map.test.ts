import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Geo } from "../src/api/types";
import { classOf, diverging, points, signed, topOf } from "../src/charts/diverging";
import { clustered, cornerOf, crowd, named, shortened, type Spot } from "../src/charts/map";
import { areas, framed, inside, scaleBar } from "../src/lib/atlas";
import { boxOf, meet, put } from "../src/lib/labels";

const folder = new URL("../../src/breakrank/page/borders/", import.meta.url);
const geo = { topology: JSON.parse(readFileSync(new URL("venezuela-2019.topo.json", folder), "utf8")) } as Geo;
const states = areas(geo, "states");
const lands = areas(geo, "lands");
const own = states.filter((s) => s.country === "VEN" && s.code !== "VE-W");
const frame = framed(own, [], 560, 480, 26);

describe("the projection", () => {
  it("fits the country into the frame, with north above and east at the right", () => {
    for (const state of own) {
      const box = frame.bounds(state);
      expect(box && box.left >= 25.5 && box.top >= 25.5 && box.right <= 534.5 && box.bottom <= 454.5, state.name).toBe(true);
    }
    const [caracas, angel] = [frame.at(-66.9, 10.5), frame.at(-62.5, 6)];
    expect(angel[0]).toBeGreaterThan(caracas[0]);
    expect(angel[1]).toBeGreaterThan(caracas[1]);
  });
  it("knows what lies in which state, and draws a ring wound the other way as the same land", () => {
    const at = frame.at(-63.55, 7);
    expect(own.filter((s) => frame.within(s, ...at)).map((s) => s.code)).toEqual(["VE-F"]);
    const ring = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]] as [number, number][];
    const made = (arc: [number, number][]): Geo => ({ topology: { type: "Topology", arcs: [arc], objects: { lands: { type: "GeometryCollection", geometries: [{ type: "Polygon", arcs: [[0]], properties: { n: "x" } }] } } } }) as unknown as Geo;
    for (const arc of [ring, [...ring].reverse()]) {
      const [land] = areas(made(arc), "lands");
      const small = framed([], [[-2, -2], [2, 2]], 100, 100, 0);
      expect(land && small.within(land, 50, 50)).toBe(true);
      expect(land && small.within(land, 2, 2)).toBe(false);
    }
  });
  it("has a scale bar that is as long as it says", () => {
    const { km, width } = scaleBar(frame.kilometres, 110);
    expect(width).toBeLessThanOrEqual(110);
    // One degree of a meridian is 111.2 km.
    const [, north] = frame.at(-66, 8.5);
    const [, south] = frame.at(-66, 7.5);
    expect((km / width) * (south - north)).toBeCloseTo(111.2, -0.5);
    const [x, y] = framed([], [[30, 50]], 100, 100, 10).at(30, 50);
    expect(Math.hypot(x - 50, y - 50)).toBeLessThan(1);
  });
  it("puts a country's name inside it", () => {
    const guyana = lands.find((l) => l.name === "Guyana");
    expect(guyana && inside(guyana, framed(own, [[-58, 5]], 700, 480, 26), 60).length).toBeGreaterThan(0);
    expect(guyana && inside(guyana, frame, 900)).toEqual([]);
  });
});

describe("names on the map", () => {
  it("never cover each other or a place's mark, and leave out no place before a town", () => {
    const marks = Array.from({ length: 9 }, (_, k) => ({ x: 60 + 47 * k, y: 100 + 31 * (k % 4), radius: 8, text: `Bridge ${k}`, more: "12", room: "12", weight: k }));
    const towns = Array.from({ length: 40 }, (_, k) => ({ label: `Town ${k}`, lon: -72 + (k % 8) * 1.3, lat: 5 + Math.floor(k / 8) * 1.1, weight: k }));
    const found = named(marks, towns, lands, frame);
    expect(found.slice(0, 9).every(Boolean)).toBe(true);
    expect(found.some((one) => one?.text === "Venezuela")).toBe(true);
    const boxes = found.flatMap((one) => (one ? [boxOf(one.put, 0.5 * 11 * one.text.length)] : []));
    expect(boxes.length).toBeGreaterThan(20);
    boxes.forEach((a, k) => boxes.slice(k + 1).forEach((b) => expect(meet(a, b)).toBe(false)));
    for (const one of found) for (const m of marks) if (one && one.text !== m.text) expect(meet(boxOf(one.put, 30), [m.x - 8, m.y - 8, m.x + 8, m.y + 8])).toBe(false);
  });
  it("give way to the heavier, and stay in the frame", () => {
    const two = [{ x: 50, y: 10, radius: 3, width: 45, weight: 1 }, { x: 50, y: 12, radius: 3, width: 45, weight: 2 }];
    const [light, heavy] = put(two, { width: 110, height: 22 });
    expect([light, heavy?.anchor]).toEqual([null, "start"]);
  });
  it("gather what lies close, and enlarge the fullest crowd without what lies far off", () => {
    const spot = (id: string, lon: number, lat: number): Spot => ({ kind: "crossing", id, label: `${id} (by foot)`, lon, lat });
    const spots = [...["a", "b", "c", "d", "e"].map((id, k) => spot(id, -72.4 + 0.01 * k, 7.8)), spot("far", -61, 4.5)];
    const groups = clustered(spots, frame, 15);
    expect(groups.map((g) => g.label)).toEqual(["a and 4 more", "far"]);
    expect(crowd(groups)?.spots.map((s) => s.id)).toEqual(["a", "b", "c", "d", "e"]);
    expect(shortened("A very long name of a crossing by road")).toHaveLength(27);
  });
  it("leave the scale bar a corner without marks", () => {
    expect(cornerOf([], frame).x).toBe(10);
    expect(cornerOf([{ x: 20, y: 470 }], frame).x).toBeGreaterThan(300);
  });
});

/** The contrast of two colours, 1 to 21, as WCAG defines it. */
function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}

function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16) / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

describe("differences", () => {
  it("have colours centred on nought, alike on both sides", () => {
    expect([-1, -0.5, -0.1, 0, 0.1, 0.5, 1].map((v) => classOf(v, 1))).toEqual([0, 1, 3, 3, 3, 5, 6]);
    for (const v of [0.2, 0.43, 0.9, 7]) expect(classOf(v, 1) + classOf(-v, 1)).toBe(6);
    expect(diverging(null, 1)).toBe("var(--axis)");
    expect([0.0004, 0.0052, 0.011, 0.09].map(topOf)).toEqual([0.0005, 0.0075, 0.015, 0.1]);
  });
  it("are written with their sign", () => {
    expect([signed(12.4), signed(-3.25), signed(0.01), signed(null)]).toEqual(["+12", "−3.3", "0", "not known"]);
    expect([points(0.0032), points(-0.12), points(0)]).toEqual(["+0.32", "−12.0", "0"]);
  });
  it("are told apart by those who do not see red or green, and stand out more from nought with every step, in both themes", () => {
    const css = readFileSync(new URL("../src/css/map.css", import.meta.url), "utf8");
    const both = (name: string): string[] => new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(css)?.slice(1) ?? [];
    for (const theme of [0, 1]) {
      const of = (name: string): string => both(name)[theme] ?? "";
      for (const side of ["less", "more"]) {
        const steps = [1, 2, 3].map((k) => contrast(of(`${side}-${k}`), of("none")));
        expect(steps[0]).toBeGreaterThan(1.2);
        expect((steps[1] ?? 0) / (steps[0] ?? 1)).toBeGreaterThan(1.3);
        expect((steps[2] ?? 0) / (steps[1] ?? 1)).toBeGreaterThan(1.3);
      }
      // Blue against orange: the blue of the one is far from that of the other, which all but tritans see.
      const blue = (hex: string): number => parseInt(hex.slice(5), 16) - parseInt(hex.slice(1, 3), 16);
      for (const k of [1, 2, 3]) expect(blue(of(`less-${k}`)) - blue(of(`more-${k}`))).toBeGreaterThan(90);
      const gone = Array.from({ length: 7 }, (_, k) => contrast(of(`gone-${k}`), theme ? "#000000" : "#ffffff"));
      expect([...gone].sort((a, b) => a - b)).toEqual(gone);
    }
  });
});
