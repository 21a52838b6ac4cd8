/** What the desk gives and takes; see `breakrank_desk.page.desk`. */

export type State = "open" | "accepted" | "edited" | "rejected" | "later";
export type Bound = "at_least" | "at_most" | "about";

export interface Choice {
  readonly value: string;
  readonly why: string;
}

export interface Observed {
  readonly id: string;
  /** What was seen, where it is no figure. */
  readonly text: string | null;
  readonly what: string;
  readonly value: number | null;
  readonly range: readonly [number, number] | null;
  readonly bound: Bound | null;
  readonly unit: string | null;
  readonly date: string;
  readonly says: string | null;
  readonly place: string | null;
  readonly source: string;
  readonly confidence: string | null;
  /** What of the case rests on it. */
  readonly cited: readonly string[];
}

/** An observation of a quantity, with where it stands in a picture; `null` is an open end. */
export interface Member extends Observed {
  readonly first: string;
  readonly last: string;
  readonly low: number | null;
  readonly high: number | null;
  /** The source at the root of its copies. */
  readonly parent: string;
}

export interface Figure {
  readonly key: string;
  /** What was read; `sentence` for one that was marked. */
  readonly kind: string;
  /** Which paragraph of the text, and which of its characters. */
  readonly paragraph: number;
  readonly start: number;
  readonly end: number;
  readonly words: string;
  readonly read: string;
  readonly value: number | null;
  readonly range: readonly [number, number] | null;
  readonly bound: Bound | null;
  readonly unit: string;
  readonly why: string;
  readonly proposer: string;
  readonly dates: readonly Choice[];
  readonly says: readonly Choice[];
  readonly places: readonly Choice[];
  readonly state: State;
  readonly why_decided: string;
  readonly changed: readonly string[];
  readonly observation: Observed | null;
}

export interface Paragraph {
  readonly label: string;
  readonly kind: string;
  readonly reason: string;
  readonly text: string;
}

export interface DeskText {
  readonly source: string;
  readonly outlet: string;
  readonly date: string;
  readonly language: string;
  /** Why nothing is proposed from it; empty where figures are. */
  readonly unread: string;
  readonly paragraphs: readonly Paragraph[];
  readonly figures: readonly Figure[];
}

export interface TextEntry {
  readonly source: string;
  readonly outlet: string;
  readonly date: string;
  readonly unread: string;
  readonly figures: number;
  readonly decided: number;
  readonly later: number;
  /** What it copies, in words; empty where nothing. */
  readonly copies: string;
}

export interface Quantity {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly reading: string;
  readonly figures: number;
  readonly parents: number;
  readonly agreeing: number;
  readonly members: readonly Member[];
  readonly conflicts: readonly { one: string; two: string; why: string; settled: boolean }[];
}

/** Two texts that belong together; `judged` is what a human said of it. */
export interface Link {
  readonly fuller: string;
  readonly shorter: string;
  readonly verdict: "copy" | "partial copy" | "version" | "shared quotation";
  readonly judged: string;
}

export interface Head {
  readonly source: string;
  readonly outlet: string;
  readonly date: string;
  readonly language: string;
}

/** A paragraph in pieces: words that the other text has too, and words that it has not. */
export interface Half {
  readonly label: string;
  readonly pieces: readonly { text: string; shared: boolean }[];
}

export interface Beside {
  readonly fuller: Head;
  readonly shorter: Head;
  readonly verdict: Link["verdict"];
  readonly judged: string;
  readonly contained: number;
  readonly quoted: number;
  readonly agency: string;
  readonly differs: readonly { paragraph: string; what: string }[];
  readonly pairs: readonly { left: Half | null; right: Half | null }[];
}

export interface DeskView {
  readonly writable: boolean;
  readonly texts: readonly TextEntry[];
  readonly missing: readonly string[];
  readonly links: readonly Link[];
  readonly quantities: readonly Quantity[];
  /** Figures that nothing of the case rests on yet, the last accepted first. */
  readonly accepted: readonly Member[];
  readonly questions: readonly { id: string; question: string; about: string }[];
}

export interface Decision {
  readonly key: string;
  readonly verb: "accept" | "edit" | "reject" | "later" | "undo";
  readonly fields?: Readonly<Record<string, string>>;
  readonly why?: string;
}
