export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Lay weights out as a squarified treemap (Bruls, Huizing and van Wijk 2000); one box each, in their order. */
export function squarify(weights: number[], frame: Box): Box[] {
  const boxes: Box[] = weights.map(() => ({ x: frame.x, y: frame.y, width: 0, height: 0 }));
  const order = weights.map((_, k) => k).filter((k) => (weights[k] ?? 0) > 0);
  order.sort((a, b) => (weights[b] ?? 0) - (weights[a] ?? 0));
  const total = order.reduce((sum, k) => sum + (weights[k] ?? 0), 0);
  if (!(total > 0) || frame.width <= 0 || frame.height <= 0) return boxes;
  const scale = (frame.width * frame.height) / total;
  let free = { ...frame };
  let row: number[] = [];
  for (let k = 0; k < order.length; ) {
    const next = order[k] ?? 0;
    const side = Math.min(free.width, free.height);
    if (row.length === 0 || worst([...row, next], side) <= worst(row, side)) {
      row.push(next);
      k += 1;
    } else {
      free = placed(row, free);
      row = [];
    }
  }
  placed(row, free);
  return boxes;

  function area(of: number[]): number {
    return of.reduce((sum, k) => sum + (weights[k] ?? 0) * scale, 0);
  }

  function worst(of: number[], side: number): number {
    const all = area(of);
    const sizes = of.map((k) => (weights[k] ?? 0) * scale);
    return Math.max((side * side * Math.max(...sizes)) / (all * all), (all * all) / (side * side * Math.min(...sizes)));
  }

  function placed(of: number[], within: Box): Box {
    const all = area(of);
    const wide = within.width >= within.height;
    const depth = all / (wide ? within.height : within.width);
    let along = wide ? within.y : within.x;
    for (const k of of) {
      const length = ((weights[k] ?? 0) * scale) / depth;
      boxes[k] = wide
        ? { x: within.x, y: along, width: depth, height: length }
        : { x: along, y: within.y, width: length, height: depth };
      along += length;
    }
    return wide
      ? { x: within.x + depth, y: within.y, width: within.width - depth, height: within.height }
      : { x: within.x, y: within.y + depth, width: within.width, height: within.height - depth };
  }
}
