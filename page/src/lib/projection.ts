import type { Ring } from "./topo";

export interface Bounds {
  west: number;
  east: number;
  south: number;
  north: number;
}

export interface Projection {
  at: (lon: number, lat: number) => [number, number];
  path: (rings: Ring[], closed?: boolean) => string;
  width: number;
  height: number;
}

export function boundsOf(points: [number, number][]): Bounds {
  const found = { west: Infinity, east: -Infinity, south: Infinity, north: -Infinity };
  for (const [lon, lat] of points) {
    found.west = Math.min(found.west, lon);
    found.east = Math.max(found.east, lon);
    found.south = Math.min(found.south, lat);
    found.north = Math.max(found.north, lat);
  }
  return found;
}

/** Equirectangular, true to scale at the middle latitude: enough for one country; fitted into a frame. */
export function fitted(bounds: Bounds, width: number, height: number, pad: number): Projection {
  const squeeze = Math.cos((((bounds.south + bounds.north) / 2) * Math.PI) / 180);
  const wide = Math.max(1e-6, (bounds.east - bounds.west) * squeeze);
  const high = Math.max(1e-6, bounds.north - bounds.south);
  const scale = Math.min((width - 2 * pad) / wide, (height - 2 * pad) / high);
  const left = (width - wide * scale) / 2;
  const top = (height - high * scale) / 2;
  const at = (lon: number, lat: number): [number, number] => [
    Math.round(10 * (left + (lon - bounds.west) * squeeze * scale)) / 10,
    Math.round(10 * (top + (bounds.north - lat) * scale)) / 10,
  ];
  const path = (rings: Ring[], closed = true): string => {
    let text = "";
    for (const ring of rings) {
      let before: [number, number] | null = null;
      for (const [lon, lat] of ring) {
        const here = at(lon, lat);
        if (before && Math.abs(here[0] - before[0]) + Math.abs(here[1] - before[1]) < 0.6) continue;
        text += `${before ? "L" : "M"}${here[0]} ${here[1]}`;
        before = here;
      }
      if (closed) text += "Z";
    }
    return text;
  };
  return { at, path, width, height };
}
