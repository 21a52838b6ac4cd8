import { wide } from "./labels";

/** A text in lines of at most so many pixels, cut between words; a word that is longer stands alone. */
export function wrapped(text: string, room: number, size = 12, weight = 500): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1];
    if (last !== undefined && wide(`${last} ${word}`, size, weight) <= room) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
