/** What a reader types into a field for a number. */
export type Typed = { value: number; wrong: "" } | { value: null; wrong: string };

const SPACES = /[\u0020\u00a0\u2007\u2009\u202f'’_]/g;
const PLAIN = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const GROUPED = /^[+-]?[1-9]\d{0,2}(,\d{3})+(\.\d+)?$/;
const SPACED = /^[+-]?[1-9]\d{0,2}([\u0020\u00a0\u2007\u2009\u202f'’_]\d{3})+(\.\d+)?$/;
const DOTTED = /^[+-]?[1-9]\d{0,2}\.\d{3}$/;
const COMMA = /^[+-]?(0,\d+|\d+,\d{1,2}|\d+,\d{4,})$/;

/**
 * Read a number as the page writes it, thousands apart by commas (160,000), or as others do: apart by spaces, or
 * with a comma before the decimals where it can be nothing else (0,25). Whatever could be read in two ways is
 * refused, such as 267.000: a wrong reading would be a wrong question.
 */
export function typedNumber(text: string): Typed {
  const given = text.trim().replace(/^[−–]/, "-");
  const read = (plain: string): Typed => {
    const value = Number(plain);
    return Number.isFinite(value) ? { value, wrong: "" } : { value: null, wrong: "This number is too large." };
  };
  if (given === "") return { value: null, wrong: "A number, please." };
  if (DOTTED.test(given)) {
    const decimal = given.endsWith(".000") ? given.slice(0, -4) : `${given}0`;
    return { value: null, wrong: `“${given}” can be read in more than one way: write ${given.replace(".", ",")} or ${decimal}, please.` };
  }
  if (PLAIN.test(given)) return read(given);
  if (GROUPED.test(given)) return read(given.replaceAll(",", ""));
  if (SPACED.test(given)) return read(given.replace(SPACES, ""));
  if (COMMA.test(given)) return read(given.replace(",", "."));
  if (/^[+-]?[\d.,\s'’_]+$/.test(given)) return { value: null, wrong: `“${given.slice(0, 30)}” can be read in more than one way: write 160,000 or 0.25, please.` };
  return { value: null, wrong: `“${given.slice(0, 30)}” is no number.` };
}

/** A number from `low` to `high`, as `told` writes the two. */
export function typedWithin(text: string, low: number, high: number, told: (value: number) => string): Typed {
  const found = typedNumber(text);
  if (found.value === null || (found.value >= low && found.value <= high)) return found;
  return { value: null, wrong: `${told(found.value)} is outside what the model allows: from ${told(low)} to ${told(high)}, please.` };
}

/** A whole number from `low` to `high`. */
export function typedWhole(text: string, low: number, high: number): Typed {
  const found = typedNumber(text);
  if (found.value === null || (Number.isInteger(found.value) && found.value >= low && found.value <= high)) return found;
  return { value: null, wrong: `a whole number from ${low.toLocaleString("en-GB")} to ${high.toLocaleString("en-GB")}, please.` };
}
