/** A sentence of a life without its log-odds: what spoke for and against, in order of weight, and the chances. */
export function withoutWeights(text: string): string {
  return text
    .replace(/; the rest [+\u2212]\d[\d.]*/g, "")
    .replace(/; in all [+\u2212]\d[\d.]*(?: on a base rate of [^.;]*?)?(?=[.;]|$)/g, "")
    .replace(/ [+\u2212]\d+(?:\.\d+)?(?=[,;]|\.(?!\d)|$)/g, "");
}
