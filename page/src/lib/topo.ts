import type { TopoGeometry, Topology } from "../api/types";

export type Ring = [number, number][];
export interface Area {
  name: string;
  country: string;
  code: string;
  rings: Ring[];
}

/** The polygons of one object of a TopoJSON, in degrees. */
export function areas(topology: Topology, object: string): Area[] {
  const arcs = decoded(topology);
  return (topology.objects[object]?.geometries ?? []).map((one) => ({
    name: one.properties?.n ?? "",
    country: one.properties?.c ?? "",
    code: one.properties?.i ?? "",
    rings: ringsOf(one, arcs),
  }));
}

function decoded(topology: Topology): Ring[] {
  const { scale = [1, 1], translate = [0, 0] } = topology.transform ?? {};
  return topology.arcs.map((arc) => {
    let x = 0;
    let y = 0;
    return arc.map(([dx, dy]): [number, number] => {
      if (!topology.transform) return [dx, dy];
      x += dx;
      y += dy;
      return [x * (scale[0] ?? 1) + (translate[0] ?? 0), y * (scale[1] ?? 1) + (translate[1] ?? 0)];
    });
  });
}

function ringsOf(one: TopoGeometry, arcs: Ring[]): Ring[] {
  const ring = (ids: number[]): Ring =>
    ids.flatMap((id, k) => {
      const arc = arcs[id < 0 ? ~id : id] ?? [];
      const turned = id < 0 ? [...arc].reverse() : arc;
      return k ? turned.slice(1) : turned;
    });
  if (one.type === "Polygon") return (one.arcs as number[][]).map(ring);
  if (one.type === "MultiPolygon") return (one.arcs as number[][][]).flat().map(ring);
  return [];
}

/** All coordinate lines of a GeoJSON, whatever they are nested in. */
export function linesOf(geometry: { type?: string; coordinates?: unknown }): Ring[] {
  const found: Ring[] = [];
  const walk = (part: unknown): void => {
    if (!Array.isArray(part) || !part.length) return;
    if (Array.isArray(part[0]) && typeof part[0][0] === "number") found.push(part as Ring);
    else part.forEach(walk);
  };
  walk(geometry.coordinates);
  return found;
}
