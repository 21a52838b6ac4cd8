import { said } from "../api/reach.svelte";

/**
 * What is fetched for a view. While newer figures are on their way, the older ones stay, marked as such; where these
 * fail to come, none stay.
 */
export class Loaded<T> {
  value = $state.raw<T | null>(null);
  error = $state("");
  /** Whether the last request failed; of a server that cannot be reached there is no error to tell. */
  failed = $state(false);
  busy = $state(false);
  #under = "";
  #turn = 0;
  #fetching = false;
  #next: (() => Promise<T>) | null = null;

  /**
   * Fetch; `under` names what it belongs to, and a change of it drops what was there. With `null` there is nothing to
   * fetch yet. One fetch is under way at a time, so that slow ones neither pile up nor are thrown away: of those that
   * are wanted meanwhile, the last follows.
   */
  async load(under: string, make: (() => Promise<T>) | null): Promise<void> {
    if (under !== this.#under) {
      this.#under = under;
      this.#turn += 1;
      this.#fetching = this.busy = false;
      this.value = null;
      this.error = "";
      this.failed = false;
    }
    this.#next = make;
    if (this.#fetching || !make) return;
    const turn = this.#turn;
    this.#fetching = this.busy = true;
    while (turn === this.#turn && this.#next) await this.#fetch(this.#next, turn);
    if (turn === this.#turn) this.#fetching = this.busy = false;
  }

  async #fetch(make: () => Promise<T>, turn: number): Promise<void> {
    this.#next = null;
    try {
      const value = await make();
      if (turn === this.#turn) [this.value, this.error, this.failed] = [value, "", false];
    } catch (error) {
      if (turn === this.#turn) [this.value, this.error, this.failed] = [null, said(error), true];
    }
  }
}
