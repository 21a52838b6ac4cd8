import { api } from "../api/client";
import type { Cases, CaseView, Question } from "../api/types";
import { Answers, type Answer } from "./answers.svelte";
import { Days } from "./days.svelte";
import { HOME, caseIn, read, written, type Place, type Shown, type ViewName } from "./hash";
import { baseline, isChanged, keyOf, plain, unchanged, unchangedCalled } from "./question";

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
  aside = $state(false);
  #from: ViewName = "look";
  readonly days = new Days();
  readonly answers = new Answers();

  /** The unchanged case under the same luck: what the asked question is compared with. */
  base = $derived(this.asked ? unchanged(this.asked) : null);
  changed = $derived(this.asked !== null && isChanged(this.asked));
  /** What the unchanged side is called. */
  called = $derived(this.asked ? unchangedCalled(this.asked) : "the case as it stands");
  /** Whether the draft differs from what was asked last. */
  pending = $derived(this.draft !== null && this.asked !== null && keyOf(this.draft) !== keyOf(this.asked));

  /** Whether everything that was asked is answered: the question, and beside a changed one the case. */
  whole = $derived.by(() => this.asking.length > 0 && this.asking.every((one) => one.status === "done"));

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
    try {
      this.cases = await api.cases();
      const wanted = caseIn(location.hash);
      const known = this.cases.cases.some((one) => one.id === wanted);
      await this.open(known && wanted ? wanted : this.cases.first, wanted === null || known ? location.hash : "");
      if (wanted && !known) this.note = "The link names a case that is not here; this one is shown instead.";
    } catch (error) {
      this.error = String((error as Error).message);
    }
  }

  /** Open a case, with what a link says of it. */
  async open(id: string, hash = ""): Promise<void> {
    this.error = "";
    this.note = "";
    let view: CaseView;
    try {
      view = await api.case(id);
    } catch (error) {
      this.error = String((error as Error).message);
      return;
    }
    const found = hash.length > 1 ? read(hash, view) : null;
    this.view = view;
    this.place = found?.place ?? { ...HOME, view: this.place.view };
    this.draft = found?.question ?? baseline(view);
    if (found?.dropped.length) this.note = `Not taken from the link: ${found.dropped.slice(0, 5).join(", ")}.`;
    this.run();
    if (found?.place.day) this.days.goTo(found.place.day);
  }

  /** Ask what stands in the draft, and the unchanged case beside it. */
  run(): void {
    if (!this.draft || !this.view) return;
    this.asked = plain(this.draft);
    this.days.span(this.view.start, this.asked.until ?? this.view.end);
    this.answers.ask(isChanged(this.asked) ? [this.asked, unchanged(this.asked)] : [this.asked]);
  }

  /** The answers to what was asked last: one, or the changed question's and the case's. */
  get asking(): Answer[] {
    return [this.answer, this.changed ? this.baseAnswer : undefined].flatMap((one) => one ?? []);
  }

  cancel(): void {
    this.answers.cancel();
  }

  go(view: ViewName): void {
    if (this.place.view !== "take") this.#from = this.place.view;
    if (this.place.view !== view) window.scrollTo(0, 0);
    this.place = { ...this.place, view };
    this.aside = false;
  }

  /** Forget all changes of the draft but for runs, seed and last day. */
  reset(): void {
    if (this.draft) this.draft = { ...unchanged(this.draft), set: {} };
  }

  /** The address of what is seen now; under Take away, of the view one came from. */
  link(): string {
    if (!this.view || !this.draft) return location.href;
    return `${location.origin}${location.pathname}#${this.hash(this.place.view === "take" ? this.#from : this.place.view)}`;
  }

  hash(view: ViewName = this.place.view): string {
    if (!this.view || !this.draft) return "";
    const end = this.days.at === this.days.length - 1;
    return written({ ...this.place, view, day: end ? null : this.days.day }, this.asked ?? this.draft, this.view);
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
