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
  #frame = 0;

  span(first: Day, last: Day): void {
    const day = this.day;
    const whole = this.first === "2000-01-01" || this.at === this.length - 1;
    this.first = first;
    this.last = last;
    this.at = whole ? between(first, last) : clamp(between(first, day), 0, between(first, last));
  }

  go(index: number): void {
    this.at = clamp(Math.round(index), 0, this.length - 1);
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
