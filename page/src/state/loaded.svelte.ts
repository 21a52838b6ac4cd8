/** What is fetched for a view. While newer figures are on their way, the older ones stay, marked as such. */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  error = $state("");
  busy = $state(false);
  #turn = 0;
  #under = "";

  /** Fetch; `under` names what it belongs to, and a change of it drops what was there. */
  async load(under: string, make: () => Promise<T>): Promise<void> {
    const turn = ++this.#turn;
    if (under !== this.#under) {
      this.#under = under;
      this.value = null;
    }
    this.busy = true;
    this.error = "";
    try {
      const value = await make();
      if (turn !== this.#turn) return;
      this.value = value;
    } catch (error) {
      if (turn !== this.#turn) return;
      this.error = String((error as Error).message);
    } finally {
      if (turn === this.#turn) this.busy = false;
    }
  }
}
