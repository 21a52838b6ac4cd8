import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Question } from "../src/api/types";
import { api, type Wish } from "../src/api/client";
import { reach, said } from "../src/api/reach.svelte";
import { Answers } from "../src/state/answers.svelte";

const question = { case: "small", seed: 1, runs: 4, counterfactuals: [], set: {}, events: [], without_events: [], until: null, parameters: null, places: {}, funds: {} } as Question;
const fetched = (made: () => Response): void => { vi.stubGlobal("fetch", async () => made()); };
const gone = async (): Promise<never> => { throw new TypeError("Failed to fetch"); };

describe("a server that is not there", () => {
  beforeEach(() => { reach.lost = ""; });
  afterEach(() => { vi.unstubAllGlobals(); });

  it("is told once, whoever asks and however the answer breaks off", async () => {
    const cut = new ReadableStream<Uint8Array>({ pull: (c) => c.error(new TypeError("network error")) });
    fetched(() => new Response(cut));
    const answers = new Answers();
    answers.ask([question]);
    await vi.waitFor(() => expect(answers.of(question)?.status).toBe("failed"));
    expect(answers.of(question)?.error).toBe("");
    expect(reach.lost).toContain("Start `breakrank ui` again");
    vi.stubGlobal("fetch", gone);
    expect(said(await api.map(question).catch((error: unknown) => error))).toBe("");
  });
  it("still answers what it has answered, by the very same words and no others", async () => {
    const wish: Wish = { view: "plan", question, place: "host" };
    fetched(() => Response.json({ runs: 4 }));
    await api.shown(wish);
    vi.stubGlobal("fetch", gone);
    expect(await api.shown(wish)).toEqual({ runs: 4 });
    expect(reach.lost).toContain("The server has ended");
    for (const other of [api.shown({ ...wish, place: "Atlantis" }), api.shown({ ...wish, question: { ...question, seed: 2 } }), api.cases()])
      expect(said(await other.catch((error: unknown) => error))).toBe("");
    fetched(() => Response.json({ error: "has no place" }, { status: 400 }));
    expect(said(await api.shown(wish).catch((error: unknown) => error))).toBe("has no place");
  });
  it("is told of as well where it ends in the middle of an answer", async () => {
    const cut = new ReadableStream<Uint8Array>({ pull: (c) => c.error(new TypeError("network error")) });
    fetched(() => new Response(cut));
    expect(said(await api.map(question).catch((error: unknown) => error))).toBe("");
    expect(reach.lost).toContain("The server has ended");
  });
  it("is another one after a restart, which says what to open", async () => {
    fetched(() => new Response("Open the address", { status: 403 }));
    expect(said(await api.map(question).catch((error: unknown) => error))).toBe("");
    expect(reach.lost).toContain("Open the address that `breakrank ui` printed last");
  });
  it("is not meant where it answers that something is wrong, or where the reader cancelled", async () => {
    fetched(() => Response.json({ error: "no such case" }, { status: 400 }));
    expect(said(await api.map(question).catch((error: unknown) => error))).toBe("no such case");
    const control = new AbortController();
    vi.stubGlobal("fetch", async () => { control.abort(); return gone(); });
    await api.ask(question, control.signal).next().catch(() => {});
    expect(reach.lost).toBe("");
  });
});
