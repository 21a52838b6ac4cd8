import { SvelteMap } from "svelte/reactivity";
import { api } from "../api/client";
import { said } from "../api/reach.svelte";
import type { Question, StreamLine } from "../api/types";
import { keyOf } from "./question";

export type Status = "waiting" | "running" | "done" | "failed" | "cancelled";

/** One question under way or answered. `version` grows whenever there is more to see. */
export class Answer {
  status = $state<Status>("waiting");
  done = $state(0);
  failed = $state(0);
  of = $state(0);
  left = $state<number | null>(null);
  version = $state(0);
  error = $state("");
  /** The turn in which it was carried out last. */
  turn = $state(0);
  readonly question: Question;
  readonly key: string;
  #control: AbortController | null = null;

  constructor(question: Question) {
    this.question = question;
    this.key = keyOf(question);
    this.of = question.runs;
  }

  get busy(): boolean {
    return this.status === "waiting" || this.status === "running";
  }

  /** Stand in line for being asked; what was heard before stays until there is news. */
  line(): void {
    if (this.#control || this.status === "done") return;
    this.status = "waiting";
    this.error = "";
  }

  /** Carry the question out; resolves once it ended, in whatever way. */
  async go(): Promise<void> {
    if (this.#control) return;
    const control = new AbortController();
    this.#control = control;
    this.status = "waiting";
    this.error = "";
    this.done = 0;
    // A call that was cancelled has nothing more to say: another may be under way already.
    const mine = (): boolean => this.#control === control;
    try {
      for await (const line of api.ask(this.question, control.signal)) if (mine()) this.#hear(line);
      if (mine() && this.busy) {
        this.status = "failed";
        this.error = "The server stopped before the answer was complete. Finished runs are kept; run it again.";
      }
    } catch (error) {
      if (!mine()) return;
      this.status = "failed";
      this.error = said(error);
    } finally {
      if (mine()) {
        this.#control = null;
        this.left = null;
      }
    }
  }

  #hear(line: StreamLine): void {
    if (line.type === "begun") {
      this.of = line.of;
      this.status = "running";
    } else if (line.type === "bands") {
      this.done = Math.max(this.done, line.done);
      this.version += 1;
    } else if (line.type === "progress") {
      this.done = Math.max(this.done, line.done);
      this.failed = line.failed;
      this.of = line.of;
      this.left = line.left;
    } else if (line.type === "done") {
      this.done = line.runs;
      this.failed = line.failed;
      this.status = "done";
      this.error = line.failed ? line.first_failure : "";
      this.version += 1;
    } else {
      this.status = "failed";
      this.error = line.error;
    }
  }

  /** Close the connection, which cancels the question on the server, or leave the line. */
  cancel(): void {
    if (!this.busy) return;
    this.#control?.abort();
    this.#control = null;
    this.left = null;
    this.status = "cancelled";
  }
}

/** All answers of this tab, by their questions. */
export class Answers {
  #kept = new SvelteMap<string, Answer>();
  #turn = $state(0);

  /** How often something was asked, or cancelled, since the page was opened. */
  get turn(): number {
    return this.#turn;
  }

  /** The answer to a question, if it was asked. */
  of(question: Question): Answer | undefined {
    return this.#kept.get(keyOf(question));
  }

  /**
   * Ask these questions and no others: one after the other, because a browser holds six connections to a host
   * over all its tabs, and whatever else is under way is cancelled. Resolves once they ended, in whatever way.
   */
  ask(questions: Question[]): Promise<void> {
    const wanted = new Set(questions.map(keyOf));
    for (const one of this.#kept.values()) if (!wanted.has(one.key)) one.cancel();
    return this.#inTurn(this.line(questions), ++this.#turn);
  }

  /** The answers to these questions, standing in line unless they are there already. */
  line(questions: Question[]): Answer[] {
    return questions.map((question) => {
      const found = this.of(question) ?? new Answer(question);
      this.#kept.set(found.key, found);
      found.line();
      return found;
    });
  }

  /** Cancel everything that is under way or in line. */
  cancel(): void {
    this.#turn += 1;
    for (const one of this.#kept.values()) one.cancel();
  }

  async #inTurn(asked: Answer[], turn: number): Promise<void> {
    for (const one of asked) {
      if (turn !== this.#turn) return;
      if (one.status !== "waiting") continue;
      one.turn = turn;
      await one.go();
    }
  }
}
