import type { Beside, Decision, DeskText, DeskView, Figure, Link } from "./types";
import { requests } from "./requests";
import { said } from "$page/api/reach.svelte";
import { again, blank, given, nextOpen, spanned, type Draft } from "./coding";

/** The desk as it is seen: the text that is open, the figure the reader is at, its form, and what was just done. */
export class DeskState {
  view = $state.raw<DeskView | null>(null);
  text = $state.raw<DeskText | null>(null);
  /** Two texts side by side, in place of the one that is read. */
  beside = $state.raw<Beside | null>(null);
  /** The paragraph of which the kind is asked for. */
  kindOf = $state<number | null>(null);
  /** Whether the next choice of a date is the end of a span. */
  spanning = $state(false);
  at = $state(0);
  draft = $state<Draft | null>(null);
  busy = $state(false);
  error = $state("");
  /** What was done last, for those who listen. */
  done = $state("");
  /** Whether a reason for a rejection is waited for. */
  rejecting = $state(false);
  /** Whether the last that was done here accepted a figure. */
  took = $state(false);
  /** Whether the form alters what was accepted. */
  altering = $state(false);
  figure = $derived<Figure | null>(this.text?.figures[this.at] ?? null);
  /** Keys decided on here, the last at the end. */
  #decided: string[] = [];
  #turn = 0;
  /** The form before anybody touched it. */
  #first: Draft | null = null;

  async start(source: string | null): Promise<void> {
    await this.#while(async () => {
      this.view = await requests.desk();
      const texts = this.view.texts;
      const first = texts.find((t) => t.source === source) ?? texts.find((t) => t.decided + t.later < t.figures) ?? texts[0];
      if (first) await this.#show(first.source);
    });
  }

  async open(source: string): Promise<void> {
    this.beside = null;
    if (source !== this.text?.source) await this.#while(() => this.#show(source));
  }

  /** Go to the words on which an observation rests. */
  async words(source: string, observation: string): Promise<void> {
    await this.open(source);
    if (source !== this.text?.source) return; // it could not be opened, which is told
    const at = this.text?.figures.findIndex((f) => f.observation?.id === observation) ?? -1;
    if (at >= 0) this.go(at);
    else this.error = `The words of ${observation} were not found at the desk.`;
  }

  /** The links of the text that is open. */
  links = $derived<readonly Link[]>((this.view?.links ?? []).filter((x) => x.fuller === this.text?.source || x.shorter === this.text?.source));

  /** Show two texts side by side; without a name, the next that belongs with the one that is open. */
  async compare(link?: Link): Promise<void> {
    const here = this.links.findIndex((x) => x.fuller === this.beside?.fuller.source && x.shorter === this.beside?.shorter.source);
    const next = link ?? this.links[(here + 1) % Math.max(1, this.links.length)];
    if (!next) {
      this.done = "No other report has words of this one.";
      return;
    }
    await this.#while(async () => {
      this.beside = await requests.beside(next.fuller, next.shorter);
      this.done = "";
    });
  }

  async judge(separate: boolean): Promise<void> {
    const { beside } = this;
    if (!beside) return;
    await this.#while(async () => {
      const answer = await requests.judge(beside.fuller.source, beside.shorter.source, separate);
      this.view = answer.desk;
      this.beside = answer.beside;
      if (this.text) this.text = await requests.text(this.text.source);
      this.go(this.at);
      this.done = separate ? "Noted as separate reports." : `Noted: ${beside.shorter.source} is a ${beside.verdict} of ${beside.fuller.source}.`;
    });
  }

  async answer(question: string, answer: string): Promise<boolean> {
    await this.#while(async () => {
      this.view = await requests.answer(question, answer);
      this.done = "Answered.";
    });
    return !this.error;
  }

  async setKind(kind: string): Promise<void> {
    const { text, kindOf } = this;
    this.kindOf = null;
    if (!text || kindOf === null) return;
    await this.#while(async () => {
      this.#take(await requests.setKind(text.source, kindOf, kind));
      const at = this.text?.figures.findIndex((f) => f.paragraph >= kindOf) ?? -1;
      this.go(Math.max(0, at));
      this.done = `Paragraph ${kindOf + 1}: ${kind}.`;
    });
  }

  async #show(source: string, end = false): Promise<void> {
    const turn = ++this.#turn;
    this.done = "";
    const text = await requests.text(source);
    if (turn !== this.#turn) return;
    this.text = text;
    const open = nextOpen(text.figures, -1);
    this.go(end ? text.figures.length - 1 : Math.max(0, open));
  }

  /** Turn to a figure of the text that is open. */
  go(at: number): void {
    this.at = Math.max(0, Math.min(at, (this.text?.figures.length ?? 1) - 1));
    this.#fill(this.figure ? blank(this.figure) : null);
    this.error = "";
    this.rejecting = this.altering = this.spanning = false;
    this.kindOf = null;
  }

  #fill(form: Draft | null): void {
    this.#first = form;
    this.draft = form && { ...form };
  }

  /** One figure on or back; past the end, the next text. */
  async step(by: 1 | -1): Promise<void> {
    const at = this.at + by;
    this.done = "";
    this.beside = null;
    if (this.text && at >= 0 && at < this.text.figures.length) return this.go(at);
    await this.turn(by);
  }

  /** The next or previous text. */
  async turn(by: 1 | -1): Promise<void> {
    this.beside = null;
    const texts = this.view?.texts ?? [];
    const next = texts[texts.findIndex((t) => t.source === this.text?.source) + by];
    if (next) await this.#while(() => this.#show(next.source, by < 0 && this.at === 0));
  }

  /** Mark the sentence that the reader is at; at a marked one, go to the next or previous. */
  async mark(by: 1 | -1): Promise<void> {
    const { text, figure } = this;
    if (!text) return;
    await this.#while(async () => {
      const step = figure?.kind === "sentence" ? by : 0;
      const found = await requests.mark(text.source, figure?.paragraph ?? 0, figure?.start ?? 0, step);
      const kept = text.figures.filter((f) => f.key !== found.key && (f.kind !== "sentence" || f.state !== "open"));
      const before = (f: Figure): boolean => f.paragraph < found.paragraph || (f.paragraph === found.paragraph && f.start < found.start);
      this.text = { ...text, figures: [...kept.filter(before), found, ...kept.filter((f) => !before(f))] };
      this.done = "";
      this.go(this.text.figures.indexOf(found));
    });
  }

  /** Take a date, or the end of a span that begins with the one that stands there. */
  date(value: string): void {
    if (!this.draft) return;
    this.draft.date = this.spanning ? spanned(this.draft.date, value) : value;
    this.spanning = false;
  }

  accept(): Promise<void> {
    const { figure, draft } = this;
    if (!figure || !draft) return Promise.resolve();
    const verb = this.altering ? "edit" : "accept";
    return this.#decide(figure, { key: figure.key, verb, fields: given(draft, this.#first ?? draft, figure.kind === "sentence") }, "accepted");
  }

  reject(why: string): Promise<void> {
    const { figure } = this;
    return figure ? this.#decide(figure, { key: figure.key, verb: "reject", why }, "rejected") : Promise.resolve();
  }

  later(): Promise<void> {
    const { figure } = this;
    return figure ? this.#decide(figure, { key: figure.key, verb: "later" }, "put off") : Promise.resolve();
  }

  /** Fill the form with what was accepted, so that it can be altered. */
  alter(): void {
    const seen = this.figure?.observation;
    if (!seen) return;
    const counts = this.view?.quantities.find((q) => q.members.some((m) => m.id === seen.id))?.id ?? "";
    this.#fill(again(seen, counts));
    this.altering = true;
  }

  /** Take back the decision on this figure, or the last one that was made here. */
  async undo(): Promise<void> {
    const here = this.figure && this.figure.state !== "open" ? this.figure.key : this.#decided.at(-1);
    if (!here) {
      this.done = "Nothing to take back.";
      return;
    }
    await this.#while(async () => {
      this.#take(await requests.decide({ key: here, verb: "undo" }));
      this.took = false;
      this.#decided = this.#decided.filter((one) => one !== here);
      const at = this.text?.figures.findIndex((f) => f.key === here) ?? -1;
      this.go(at >= 0 ? at : this.at);
      this.done = at >= 0 ? `Taken back: ${this.figure?.words}.` : "Taken back.";
    });
  }

  async settle(one: string, two: string): Promise<void> {
    await this.#while(async () => {
      this.view = await requests.settle(one, two);
      this.done = "The ledger names both as conflicting.";
    });
  }

  async #decide(figure: Figure, decision: Decision, told: string): Promise<void> {
    const open = figure.state === "open" || figure.state === "later" || decision.verb === "edit";
    if (!open) {
      this.done = "";
      this.error = "This is decided. Take it back first (u).";
      return;
    }
    await this.#while(async () => {
      this.#take(await requests.decide(decision));
      this.took = told === "accepted" && figure.kind !== "sentence";
      this.#decided = [...this.#decided.filter((one) => one !== figure.key), figure.key];
      const left = this.text?.figures.filter((f) => f.state === "open").length ?? 0;
      this.done = `${figure.kind === "sentence" ? "Sentence" : figure.words}: ${told}. ${left} left in this report.`;
      const next = nextOpen(this.text?.figures ?? [], this.at);
      this.go(next >= 0 ? next : this.at);
    });
  }

  #take(answer: { desk: DeskView; text: DeskText }): void {
    this.view = answer.desk;
    this.text = answer.text;
  }

  /** Do one thing at a time, and tell what goes wrong. */
  async #while(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.error = "";
    try {
      await work();
    } catch (error) {
      this.error = said(error);
    } finally {
      this.busy = false;
    }
  }
}
