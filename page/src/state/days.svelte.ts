import type { Day } from "../api/types";
import { between, fromOrdinal, ordinal } from "../lib/dates";
import { clamp } from "../lib/scale";

/** The day that every view follows, and its playback. */
export class Days {
  first = $state<Day>("2000-01-01");
  last = $state<Day>("2000-12-31");
  /** Days since the first. */
  at = $state(0);
  playing = $state(false);
  /** Days a second. */
  speed = $state(30);
  length = $derived(between(this.first, this.last) + 1);
  day = $derived(fromOrdinal(ordinal(this.first) + this.at));
  /** Whether the day has just changed and may go on changing: by playback or by hand. */
  moving = $state(false);
  #frame = 0;
  #rest: ReturnType<typeof setTimeout> | undefined;

  span(first: Day, last: Day): void {
    const day = this.day;
    const whole = this.first === "2000-01-01" || this.at === this.length - 1;
    this.first = first;
    this.last = last;
    this.at = whole ? between(first, last) : clamp(between(first, day), 0, between(first, last));
  }

  go(index: number): void {
    const at = clamp(Math.round(index), 0, this.length - 1);
    if (at === this.at) return;
    this.at = at;
    this.moving = true;
    clearTimeout(this.#rest);
    this.#rest = setTimeout(() => (this.moving = false), 250);
  }

  goTo(day: Day): void {
    this.go(between(this.first, day));
  }

  toggle(): void {
    if (this.playing) this.stop();
    else this.play();
  }

  stop(): void {
    this.playing = false;
    cancelAnimationFrame(this.#frame);
  }

  play(): void {
    if (this.at >= this.length - 1) this.at = 0;
    this.playing = true;
    let before = performance.now();
    let position = this.at;
    const step = (now: number): void => {
      if (!this.playing) return;
      position += ((now - before) / 1000) * this.speed;
      before = now;
      this.go(Math.floor(position));
      if (this.at >= this.length - 1) this.stop();
      else this.#frame = requestAnimationFrame(step);
    };
    this.#frame = requestAnimationFrame(step);
  }
}
