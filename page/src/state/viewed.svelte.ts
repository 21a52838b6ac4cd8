import { untrack } from "svelte";
import { api, type Wish } from "../api/client";
import { said } from "../api/reach.svelte";
import type { Progress, ViewAnswer } from "../api/types";
import { on } from "./shared.svelte";

/** Milliseconds after which a view that is on its way is asked for again. */
const SOON = 1500;

/** One view: what was asked last, and what came of it. What failed never shows what was found before. */
export class Viewed {
  found = $state.raw<ViewAnswer | null>(null);
  error = $state("");
  busy = $state(false);
  progress = $state.raw<Progress | null>(null);
  /** The day as of which a forecast would be made, where none is kept. */
  wait = $state("");
  #turn = 0;
  #under = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #shared: boolean;

  /** `shared`: whether it is what the page shares; not so where it stands beside another. */
  constructor(shared = true) {
    this.#shared = shared;
  }

  /**
   * Ask for a view; `null` where it cannot be asked for yet. `under`: what it is of; of another, nothing stays.
   * Nothing read here may make an effect ask again: its own answer would be a reason to.
   */
  ask(wish: Wish | null, under: string): void {
    untrack(() => {
      const turn = ++this.#turn;
      clearTimeout(this.#timer);
      if (under !== this.#under) [this.#under, this.found, this.error, this.progress, this.wait] = [under, null, "", null, ""];
      this.#share(wish);
      if (wish) void this.#fetch(wish, turn);
      else this.busy = false;
    });
  }

  /** Nobody looks any more. */
  leave(): void {
    this.#turn += 1;
    clearTimeout(this.#timer);
    if (this.#shared) [on.found, on.wish] = [null, null];
  }

  async #fetch(wish: Wish, turn: number): Promise<void> {
    this.busy = true;
    const under = this.#under;
    const long = wish.view === "why" || wish.view === "next";
    try {
      const found = await (long ? api.shownNow(wish) : api.shown(wish));
      if (turn !== this.#turn) {
        // What was at hand, and comes after newer runs were asked for, stands until these are there.
        if (wish.at_once && under === this.#under && !this.found && !this.error && found.finding) this.found = found;
        return;
      }
      this.error = "";
      this.progress = found.progress ?? null;
      this.wait = found.wait?.as_of ?? "";
      this.found = found.finding ? found : null;
      if (found.progress) this.#timer = setTimeout(() => void this.#fetch(wish, turn), SOON);
    } catch (error) {
      if (turn === this.#turn) [this.found, this.error, this.progress] = [null, said(error), null];
    } finally {
      if (turn === this.#turn) {
        this.busy = false;
        this.#share(wish);
      }
    }
  }

  #share(wish: Wish | null): void {
    if (this.#shared) [on.found, on.wish] = [this.found, wish];
  }
}
