/** Freeze a value and all that it holds, so that whoever changes it is caught. */
export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}
