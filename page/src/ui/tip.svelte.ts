/** What is told of the mark under the pointer. */
class Tip {
  pairs = $state.raw<[string, string][]>([]);
  x = $state(0);
  y = $state(0);

  tell = (event: { clientX: number; clientY: number }, value: unknown): void => {
    if (value === null || value === undefined || value === "") {
      this.hide();
      return;
    }
    const entries = typeof value === "object" ? Object.entries(value) : [["", value]];
    this.pairs = entries.map(([name, text]) => [String(name).trim(), String(text)]);
    this.x = event.clientX;
    this.y = event.clientY;
  };

  hide = (): void => {
    if (this.pairs.length) this.pairs = [];
  };
}

export const tip = new Tip();
