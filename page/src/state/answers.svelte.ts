import { SvelteMap } from "svelte/reactivity";
import { api } from "../api/client";
import type { Question } from "../api/types";
import { keyOf, plain } from "./question";

export type Status = "waiting" | "running" | "done" | "failed" | "cancelled";

/** One question under way or answered. `version` grows whenever there is more to see. */
export class Answer {
  status = $state<Status>("waiting");
  done = $state(0);
  failed = $state(0);
  of = $state(0);
  seconds = $state(0);
  left = $state<number | null>(null);
  version = $state(0);
  error = $state("");
  reused = $state(0);
  readonly question: Question;
  readonly key: string;
  #control: AbortController | null = null;

  constructor(question: Question) {
    this.question = plain(question);
    this.key = keyOf(question);
    this.of = question.runs;
  }

  get busy(): boolean {
    return this.status === "waiting" || this.status === "running";
  }

  /** Carry the question out; resolves once it ended, in whatever way. */
  async go(): Promise<void> {
    if (this.#control) return;
    const control = new AbortController();
    this.#control = control;
    this.status = "waiting";
    this.error = "";
    this.done = 0;
    try {
      for await (const line of api.ask(this.question, control.signal)) {
        if (line.type === "begun") {
          this.of = line.of;
          this.status = "running";
        } else if (line.type === "bands") {
          this.done = Math.max(this.done, line.done);
          this.version += 1;
        } else if (line.type === "progress") {
          this.done = line.done;
          this.failed = line.failed;
          this.of = line.of;
          this.seconds = line.seconds;
          this.left = line.left;
        } else if (line.type === "done") {
          this.done = line.runs;
          this.failed = line.failed;
          this.seconds = line.seconds;
          this.reused = line.reused;
          this.status = "done";
          this.error = line.failed ? line.first_failure : "";
          this.version += 1;
        } else {
          this.status = "failed";
          this.error = line.error;
        }
      }
      if (this.busy) {
        this.status = "failed";
        this.error = "The server ended before the answer was whole. What was finished is kept; run it again.";
      }
    } catch (error) {
      this.status = control.signal.aborted ? "cancelled" : "failed";
      this.error = control.signal.aborted ? "" : String((error as Error).message);
    } finally {
      this.#control = null;
      this.left = null;
    }
  }

  cancel(): void {
    this.#control?.abort();
  }
}

/** All answers of this tab, by their questions. */
export class Answers {
  #kept = new SvelteMap<string, Answer>();

  /** The answer to a question, if it was asked. */
  of(question: Question): Answer | undefined {
    return this.#kept.get(keyOf(question));
  }

  /** Ask a question, or hear what is known of it. */
  ask(question: Question): Answer {
    const key = keyOf(question);
    let found = this.#kept.get(key);
    if (!found) {
      found = new Answer(question);
      this.#kept.set(key, found);
    }
    if (found.status !== "done") void found.go();
    return found;
  }
}
