import { SvelteMap } from "svelte/reactivity";
import { api } from "../api/client";
import { reach, said } from "../api/reach.svelte";
import type { Cases, CaseView, Cost, Question } from "../api/types";
import { Answers, type Answer } from "./answers.svelte";
import { HOME, TITLES, VIEWS, caseIn, read, written, type Place, type Shown, type ViewName } from "./hash";
import { asPut, isChanged, keyOf, receives, unchanged, unchangedCalled, underValidDraws } from "./question";

/** Seconds of computing above which a link asks before it starts. */
const LONG = 30;

type Theme = "auto" | "light" | "dark";

/** Everything that the views share. */
class App {
  cases = $state.raw<Cases | null>(null);
  view = $state.raw<CaseView | null>(null);
  error = $state("");
  note = $state("");
  place = $state<Place>({ ...HOME });
  draft = $state.raw<Question | null>(null);
  asked = $state.raw<Question | null>(null);
  theme = $state<Theme>("auto");
  /** Whether a link is being followed, so that the address is not yet that of what is seen. */
  opening = $state(false);
  /** The case that was opened last, or could not be. */
  opened = $state("");
  /** Grows when the view has to read everything anew. */
  fresh = $state(0);
  /** What the question of a link would take, where that is so much that it waits to be run. */
  held = $state.raw<Cost | null>(null);
  /** How often another view was turned to: each is a step that Back and Forward go. */
  steps = 0;
  #turn = 0;
  #weighing = 0;
  /** What was asked and answered before that which is asked now. */
  #before: Question | null = null;
  /** What the server left unanswered when it ended, where what was answered before is shown again. */
  unanswered = $state.raw<Question | null>(null);
  readonly answers = new Answers();
  /** What is wrong with what stands in a field, by part of the page and field: while anything is, no draft is run. */
  readonly wrong = new SvelteMap<string, string>();

  /** The unchanged case under the same luck: what the asked question is compared with. */
  base = $derived(this.asked ? unchanged(this.asked) : null);
  changed = $derived(this.asked !== null && isChanged(this.asked));
  /** What is asked of a reception to which times as many come, if it is. */
  crowd = $derived(this.asked && this.place.arrivals !== 1 ? { ...this.asked, arrivals: this.place.arrivals } : null);
  /** What the unchanged side is called. */
  called = $derived(this.asked ? unchangedCalled(this.asked) : "the case as it stands");
  /** Whether the draft differs from what was asked last. */
  pending = $derived(this.draft !== null && this.asked !== null && keyOf(this.#valid(this.draft)) !== keyOf(this.asked));

  /** Whether the desk of the case that is open was opened too. */
  desk = $derived(this.cases !== null && this.cases.desk && this.view?.id === this.cases.first);

  /** The views that the case that is open has. */
  views = $derived(VIEWS.filter((one) => (one !== "desk" || this.desk) && (one !== "plan" || (this.view && receives(this.view)))));

  /** Whether everything that was asked is answered: the question, and beside a changed one the case. */
  whole = $derived.by(() => this.asking.length > 0 && this.asking.every((one) => one.status === "done"));

  /** Whether nothing is on its way: it is held until someone runs it, or was cancelled, or failed. */
  idle = $derived.by(() => this.held !== null || this.asking.some((one) => one.status === "failed" || one.status === "cancelled"));

  /** What stands where an answer will, while there is none of it to show. */
  waiting(running = "The first runs are in progress …"): string {
    if (this.held) return "Nothing is computed yet: press Run above.";
    return this.idle ? "There is nothing to show: change what was asked, or press Run again above." : running;
  }

  /** The case as it comes, under the ensemble that it comes with: what happened. */
  plain = $derived(this.asked && this.view ? { ...unchanged(this.asked), parameters: asPut(this.asked, this.view, this.place.arrivals).parameters } : null);

  /** Have a question answered beside those that are asked; nothing where it is under way or there. */
  need(question: Question): void {
    if (this.held || !this.asked || this.answers.of(question)) return;
    void this.answers.ask([...this.questions(this.asked), question]);
  }

  /** Say what is wrong with a field, or with an empty text that nothing is. */
  mark(field: string, wrong: string): void {
    if (wrong) this.wrong.set(field, wrong);
    else this.wrong.delete(field);
  }

  /** Forget what was wrong with the fields of a part of the page. */
  unmark(part: string): void {
    for (const field of [...this.wrong.keys()]) if (field.startsWith(`${part} `)) this.wrong.delete(field);
  }

  get shown(): Shown | null {
    return this.place.shown;
  }

  set shown(shown: Shown | null) {
    this.place = { ...this.place, shown };
  }

  get answer(): Answer | undefined {
    return this.asked ? this.answers.of(this.asked) : undefined;
  }

  get baseAnswer(): Answer | undefined {
    return this.base ? this.answers.of(this.base) : undefined;
  }

  async start(): Promise<void> {
    this.theme = themeKept();
    this.error = reach.lost = "";
    try {
      this.cases = await api.cases();
    } catch (error) {
      this.error = said(error);
      return;
    }
    await this.follow(location.hash);
  }

  /** Open a case as it stands, in the view that is open. */
  async open(id: string): Promise<void> {
    await this.follow(new URLSearchParams({ view: this.place.view === "desk" ? HOME.view : this.place.view, case: id }).toString());
    this.note = ""; // that the case lacks the view that was open is plain to see
  }

  /** Show what a link names, and nothing else; of links that overtake each other, the last. */
  async follow(hash: string): Promise<void> {
    if (!this.cases) return; // it is followed once the cases are there
    const turn = ++this.#turn;
    const named = caseIn(hash);
    const known = named === null || this.cases.cases.some((one) => one.id === named);
    const id = (known ? named : null) ?? this.view?.id ?? this.cases.first;
    this.opening = true;
    this.opened = id;
    this.error = "";
    try {
      const view = this.view?.id === id ? this.view : await api.case(id);
      if (turn === this.#turn) this.#show(known ? hash : this.hash(), view);
      if (turn === this.#turn && !known) this.note = "The link names a case that is not here; this one is shown instead.";
    } catch (error) {
      if (turn === this.#turn) this.error = said(error);
    } finally {
      if (turn === this.#turn) this.opening = false;
    }
  }

  #show(hash: string, view: CaseView): void {
    const found = read(hash, view);
    this.view = view;
    this.place = found.place;
    if (this.desk && !new URLSearchParams(hash.replace(/^#/, "")).has("view")) this.place = { ...HOME, view: "desk" };
    const lacks = !this.views.includes(found.place.view);
    if (lacks) this.place = { ...found.place, view: HOME.view };
    this.note = [
      lacks ? `${view.title} has no view ${TITLES[found.place.view]}${found.place.view === "plan" ? ": it counts nobody who is received" : ""}. This is what happened.` : "",
      found.dropped.length ? `Not taken from the link: ${found.dropped.slice(0, 5).join(", ")}.` : "",
    ].filter(Boolean).join(" ");
    // The same question again leaves what was changed and not yet run as it is.
    if (!this.asked || keyOf(this.asked) !== keyOf(this.#valid(found.question)) || (this.crowd && !this.answers.of(this.crowd))) {
      this.draft = found.question;
      // At the desk nothing is run before a view that shows runs is turned to.
      if (this.place.view === "desk") {
        this.asked = null;
      } else this.#take(LONG);
    }
  }

  /** Ask what stands in the draft, and the unchanged case beside it. */
  run(): void {
    this.#take(Infinity);
  }

  /** As `run`, but where it would take longer than so many seconds, it is held until someone runs it. */
  #take(most: number): void {
    if (!this.draft || !this.view) return;
    this.held = this.unanswered = null;
    this.#before = this.whole && this.view.id === this.asked?.case ? this.asked : null;
    this.asked = this.#valid(this.draft);
    void this.#weigh(most);
  }

  async #weigh(most: number): Promise<void> {
    const turn = ++this.#weighing;
    if (!this.asked || most === Infinity) return this.#ask();
    this.answers.line(this.questions(this.asked)); // so that no view takes the answer before it for this one
    const cost = await api.cost(this.questions(this.asked)).catch(() => null); // what is wrong is told when it is asked
    if (turn !== this.#weighing) return;
    this.held = null;
    if (!cost || cost.seconds <= most) return this.#ask();
    this.answers.cancel();
    this.held = cost;
  }

  /** The questions that are asked one after the other: this one, the unchanged case, and that with other arrivals. */
  questions(question: Question): Question[] {
    const asked = this.#valid(question);
    const crowd = this.place.arrivals === 1 ? [] : [{ ...asked, arrivals: this.place.arrivals }];
    return [asked, ...(isChanged(asked) ? [unchanged(asked)] : []), ...crowd];
  }

  #valid(question: Question): Question {
    return this.view ? underValidDraws(question, this.view, this.place.arrivals) : question;
  }

  #ask(): void {
    reach.lost = "";
    const asked = this.asked;
    if (asked) void this.answers.ask(this.questions(asked)).then(() => { if (reach.lost && this.asked === asked) this.#back(); });
  }

  /** Ask a reception for so many times as many people. */
  crowdBy(times: number): void {
    const put = this.asked && this.view && asPut(this.asked, this.view, this.place.arrivals);
    this.place = { ...this.place, arrivals: times };
    if (put) this.asked = this.#valid(put);
    void this.#weigh(this.held ? LONG : Infinity);
  }

  /** Try to reach the server once more; where it answers, go on from there. */
  async again(): Promise<void> {
    if (!this.view) return this.start();
    try {
      await api.cases();
    } catch {
      return; // what there is to say of it is said already
    }
    this.fresh += 1;
    if (this.unanswered) [this.#before, this.asked, this.unanswered] = [this.asked, this.unanswered, null];
    if (!this.held) this.#ask();
  }

  /** The answers to what was asked last: one, or the changed question's and the case's. */
  get asking(): Answer[] {
    const many = this.crowd ? this.answers.of(this.crowd) : undefined;
    const plain = this.plain ? this.answers.of(this.plain) : undefined;
    const all = [this.answer, this.changed ? this.baseAnswer : undefined, many, plain?.busy ? plain : undefined];
    return [...new Set(all.flatMap((one) => one ?? []))];
  }

  /** Cancel what is under way. Where nothing of it can be seen yet, what was seen before comes back. */
  cancel(): void {
    this.answers.cancel();
    this.#back();
  }

  #back(): void {
    const before = this.#before;
    if (!before || !this.view || this.answer?.version) return;
    this.unanswered = reach.lost ? this.asked : null;
    this.asked = before;
    this.#before = null;
  }

  go(view: ViewName): void {
    if (this.place.view !== view) {
      window.scrollTo(0, 0);
      this.steps += 1;
    }
    this.place = { ...this.place, view };
    if (view !== "desk" && !this.asked) this.run();
  }

  /** Forget all changes of the draft but for runs, seed and last day. */
  reset(): void {
    if (this.draft) this.draft = { ...unchanged(this.draft), set: {} };
  }

  /** The address of what is seen now. */
  link(): string {
    return this.view && this.draft ? `${location.origin}${location.pathname}#${this.hash()}` : location.href;
  }

  hash(view: ViewName = this.place.view): string {
    if (!this.view || !this.draft) return "";
    const put = asPut(this.asked ?? this.draft, this.view, this.place.arrivals);
    return written({ ...this.place, view }, put, this.view);
  }

  setTheme(theme: Theme): void {
    this.theme = theme;
    try {
      localStorage.setItem("breakrank-theme", theme);
    } catch {
      // a browser that keeps nothing still shows the page
    }
    applyTheme(theme);
  }
}

function themeKept(): Theme {
  let kept: string | null = null;
  try {
    kept = localStorage.getItem("breakrank-theme");
  } catch {
    // as above
  }
  const theme = kept === "light" || kept === "dark" ? kept : "auto";
  applyTheme(theme);
  return theme;
}

function applyTheme(theme: Theme): void {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

export const app = new App();
