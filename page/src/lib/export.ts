const SVG = "http://www.w3.org/2000/svg";
const KEPT = ["fill", "stroke", "font-size", "font-weight", "opacity", "stroke-width", "letter-spacing", "paint-order"] as const;

/** Draw everything that a chart's holder shows, labels too, as one SVG that stands alone, in today's colours. */
export function sheet(holder: HTMLElement, title: string, note = "", foot = ""): string {
  const frame = holder.getBoundingClientRect();
  const root = getComputedStyle(document.documentElement);
  const paper = root.getPropertyValue("--paper").trim() || "#fff";
  const PAD = 16;
  const LINE = 15;
  const width = Math.max(420, Math.ceil(frame.width) + 2 * PAD);
  const notes = wrapped(note, (width - 2 * PAD) / LETTER);
  const feet = wrapped(foot, (width - 2 * PAD) / LETTER);
  const HEAD = 26 + LINE * notes.length;
  const height = Math.ceil(frame.height) + 2 * PAD + HEAD + (feet.length ? 10 + LINE * feet.length : 0);
  const out = document.createElementNS(SVG, "svg");
  set(out, { xmlns: SVG, width, height, viewBox: `0 0 ${width} ${height}`, "font-family": "Inter, system-ui, sans-serif" });
  out.append(node("title", {}, title), node("rect", { width, height, fill: paper }));
  const ink = root.getPropertyValue("--ink").trim();
  out.append(node("text", { x: PAD, y: PAD + 13, fill: ink, "font-size": 14, "font-weight": 600 }, title));
  const muted = root.getPropertyValue("--muted").trim();
  const small = (text: string, y: number): SVGElement => node("text", { x: PAD, y, fill: muted, "font-size": 11.5 }, text);
  notes.forEach((text, k) => out.append(small(text, PAD + 30 + LINE * k)));
  feet.forEach((text, k) => out.append(small(text, height - PAD - LINE * (feet.length - 1 - k))));
  for (const svg of holder.querySelectorAll("svg")) {
    if (svg.parentElement?.closest("svg")) continue;
    const box = svg.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const copy = frozen(svg);
    set(copy, { x: PAD + box.left - frame.left, y: PAD + HEAD + box.top - frame.top, width: box.width, height: box.height, overflow: getComputedStyle(svg).overflow });
    out.append(copy);
  }
  for (const text of texts(holder)) out.append(...placed(text, frame, PAD, PAD + HEAD));
  return new XMLSerializer().serializeToString(out);
}

const LETTER = 6;

/** Break a text into lines of at most so many letters, between words. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines[lines.length - 1];
    if (last !== undefined && last.length + 1 + word.length <= letters) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** A picture of an SVG, at twice its size, with the page's letters in it. */
export async function picture(svg: string): Promise<Blob> {
  const [, width = "800", height = "600"] = /width="(\d+)" height="(\d+)"/.exec(svg) ?? [];
  const image = new Image();
  const loaded = new Promise<void>((resolve, reject) => {
    image.onload = () => resolve();
    image.onerror = () => reject(new Error("the browser does not draw it"));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(await lettered(svg))}`;
  await loaded;
  const canvas = document.createElement("canvas");
  canvas.width = 2 * Number(width);
  canvas.height = 2 * Number(height);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("the browser has no canvas");
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the browser makes no PNG"))), "image/png"),
  );
}

let font: Promise<string> | null = null;

async function lettered(svg: string): Promise<string> {
  font ??= embeddedFont();
  const face = await font;
  return face ? svg.replace(/<title>/, `<style>@font-face{font-family:Inter;src:url(${face});font-weight:400 700}</style><title>`) : svg;
}

async function embeddedFont(): Promise<string> {
  for (const sheet of document.styleSheets)
    for (const rule of sheet.cssRules)
      if (rule instanceof CSSFontFaceRule) {
        const found = /url\("?([^")]+)"?\)/.exec(rule.style.getPropertyValue("src"));
        if (!found?.[1]) continue;
        const bytes = new Uint8Array(await (await fetch(new URL(found[1], sheet.href ?? location.href))).arrayBuffer());
        let text = "";
        for (const byte of bytes) text += String.fromCharCode(byte);
        return `data:font/woff2;base64,${btoa(text)}`;
      }
  return "";
}

// A copy whose colours no longer name the page's variables.
function frozen(svg: SVGElement): SVGElement {
  const copy = svg.cloneNode(true) as SVGElement;
  const from = [svg, ...svg.querySelectorAll<SVGElement>("*")];
  const to = [copy, ...copy.querySelectorAll<SVGElement>("*")];
  from.forEach((one, k) => {
    const other = to[k];
    if (!other) return;
    const style = getComputedStyle(one);
    for (const name of KEPT) {
      const value = style.getPropertyValue(name);
      if (value && value !== "none" && value !== "normal") other.setAttribute(name, value);
      else if (value === "none") other.setAttribute(name, "none");
    }
    for (const name of ["class", "style", "data-name", "aria-hidden", "role", "tabindex"]) other.removeAttribute(name);
  });
  return copy;
}

function texts(holder: HTMLElement): Text[] {
  const walker = document.createTreeWalker(holder, NodeFilter.SHOW_TEXT, {
    acceptNode: (n) =>
      n.textContent?.trim() && !n.parentElement?.closest("svg, .unseen, select, details, button:not([data-drawn]), [hidden]") ? NodeFilter.FILTER_ACCEPT : NodeFilter.FILTER_SKIP,
  });
  const found: Text[] = [];
  while (walker.nextNode()) found.push(walker.currentNode as Text);
  return found;
}

function placed(text: Text, frame: DOMRect, left: number, top: number): SVGElement[] {
  const style = text.parentElement ? getComputedStyle(text.parentElement) : null;
  if (!style) return [];
  const size = parseFloat(style.fontSize);
  return broken(text).map(({ words, box }) =>
    node(
      "text",
      { x: left + box.left - frame.left, y: top + box.top - frame.top + size * 0.95 + 1, fill: style.color, "font-size": style.fontSize, "font-weight": style.fontWeight },
      words,
    ),
  );
}

// The lines of a text where the page breaks it, each with the place of its first word.
function broken(text: Text): { words: string; box: DOMRect }[] {
  const found: { words: string; box: DOMRect }[] = [];
  const range = document.createRange();
  for (const word of text.data.matchAll(/\S+/g)) {
    range.setStart(text, word.index);
    range.setEnd(text, word.index + word[0].length);
    const box = range.getBoundingClientRect();
    const last = found[found.length - 1];
    if (last && Math.abs(last.box.top - box.top) < 2) last.words += ` ${word[0]}`;
    else if (box.width) found.push({ words: word[0], box });
  }
  return found;
}

function node(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const one = document.createElementNS(SVG, name);
  set(one, attributes);
  if (text) one.textContent = text;
  return one;
}

function set(one: Element, attributes: Record<string, string | number>): void {
  for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, String(value));
}
