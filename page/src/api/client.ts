import type { Cases, CaseView, Cost, Draws, Figures, Geo, Life, Look, MapAnswer, Opened, Question, StreamLine, ViewAnswer } from "./types";
import { Lost } from "./reach.svelte";
import { lines } from "./stream";

const GONE = "The server has ended. Start `breakrank ui` again and open the address that it prints, or try again. Finished runs are kept.";
const SHUT = "The server was restarted and does not know this tab. Open the address that `breakrank ui` printed last, in this browser.";

async function answered(path: string, init: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, init);
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new Lost(GONE);
  }
  if (response.status === 403) throw new Lost(SHUT);
  if (response.ok) return response;
  const text = await response.text();
  let said = text.trim();
  try {
    said = String((JSON.parse(text) as { error?: unknown }).error ?? said);
  } catch {
    // the guard answers in plain text
  }
  throw new Error(said || `The server answered with ${response.status}.`);
}

async function json<T>(path: string, init: RequestInit): Promise<T> {
  const response = await answered(path, init);
  try {
    return (await response.json()) as T;
  } catch (error) {
    throw init.signal?.aborted || error instanceof SyntaxError ? error : new Lost(GONE);
  }
}

export const get = <T>(path: string): Promise<T> => json<T>(path, {});

function body(value: unknown, signal?: AbortSignal): RequestInit {
  const init: RequestInit = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(value),
  };
  if (signal) init.signal = signal;
  return init;
}

export const post = <T>(path: string, value: unknown): Promise<T> => json<T>(path, body(value));

/** What was answered last, by the very words of the request; the oldest goes first. */
const kept = new Map<string, unknown>();
const MOST_KEPT = 300;

/** Ask what changes nothing. Where the server has ended, what it answered to the same words still stands. */
async function view<T>(path: string, value?: unknown): Promise<T> {
  const init = value === undefined ? {} : body(value);
  const asked = `${path} ${String(init.body)}`;
  try {
    const found = await json<T>(path, init);
    kept.delete(asked);
    kept.set(asked, found);
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
    return found;
  } catch (error) {
    if (error instanceof Lost && kept.has(asked)) return kept.get(asked) as T;
    throw error;
  }
}

async function file(path: string, value: unknown, what: string): Promise<{ name: string; blob: Blob }> {
  const response = await answered(path, body(value));
  const named = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "");
  return { name: named?.[1] ?? what, blob: await response.blob() };
}

/** A view, and what its bar asks. */
export interface Wish {
  view: "happened" | "why" | "whatif" | "plan" | "next";
  question: Question;
  base?: Question | null;
  place?: string;
  since?: string | null;
  until?: string | null;
  level?: number;
  staff?: number | null;
  as_of?: string | null;
  /** Figures beside the record that a forecast takes in: a table as CSV. */
  observations?: string;
  go?: boolean;
  /** What was computed beforehand, though the runs that it is of may be there. */
  at_once?: boolean;
}

export interface LifeWish {
  run: number;
  soldier?: number;
  fate?: string;
}

export const api = {
  cases: () => get<Cases>("/api/cases"),
  case: (id: string) => get<CaseView>(`/api/cases/${encodeURIComponent(id)}`),
  geo: (id: string) => view<Geo>(`/api/geo/${encodeURIComponent(id)}`),
  look: () => get<Look>("/api/look"),
  figures: (question: Question, names: string[]) => view<Figures>("/api/figures", { question, names }),
  cost: (questions: Question[]) => post<Cost>("/api/cost", { questions }),
  map: (question: Question) => view<MapAnswer>("/api/map", { question }),
  shown: (wish: Wish) => view<ViewAnswer>("/api/view", wish),
  /** A view that may be on its way still: what was said of it before does not stand. */
  shownNow: (wish: Wish) => post<ViewAnswer>("/api/view", wish),
  share: (wish: Wish, what: string) => file("/api/share", { ...wish, what }, what),
  life: (question: Question, wish: LifeWish) => view<Life>("/api/lives", { question, ...wish }),
  open: (id: string, name: string, text: string, parameters: Draws | null) =>
    post<{ scenarios: Opened[]; wrong: string }>("/api/open", { case: id, name, text, parameters }),
  /** Ask, and hear how far it is, line by line; aborting the signal cancels. */
  ask: async function* (question: Question, signal: AbortSignal): AsyncGenerator<StreamLine> {
    const response = await answered("/api/ask", body(question, signal));
    try {
      if (response.body) yield* lines(response.body) as AsyncGenerator<StreamLine>;
    } catch (error) {
      throw signal.aborted ? error : new Lost(GONE);
    }
  },
};
