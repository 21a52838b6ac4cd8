import { beforeEach, describe, expect, it, vi } from "vitest";
import type { CaseView, Question } from "../src/api/types";
import { frozen } from "./frozen";

const parameter = (name: string): unknown => ({ name, about: "a thing", least: 0, most: 1, low: 0, high: 1, value: 0.5, posterior: null });
const made = (id: string): CaseView =>
  frozen({
    id, title: id, start: "2025-01-01", end: "2025-06-30", parameters: { default: "values", choices: ["values"] },
    events: [{ id: "oath", date: "2025-02-01", title: "Oath" }],
    counterfactuals: ["no-taps", "no-oath"].map((one) => ({ id: one, title: one, set: {}, events: [], without: [], without_effects: [] })),
    mechanisms: [{ name: "fear", parameters: [parameter("fear.weight")] }],
    // As the server gives it: lists and values that a question could be tempted to share.
    baseline: { case: id, seed: 0, runs: 40, counterfactuals: [], set: {}, events: [], without_events: [], until: null, parameters: null },
  }) as unknown as CaseView;
const views: Record<string, CaseView> = { small: made("small"), large: made("large") };
let asked: Question[] = [];
/** Seconds that a question would take. */
let price = 1;
/** What a case waits for before it is there. */
const slow: Record<string, Promise<void>> = {};

vi.mock("../src/api/client", () => ({
  api: {
    cases: async () => ({ version: "0", first: "small", cases: [{ id: "small" }, { id: "large" }] }),
    case: async (id: string) => { await slow[id]; return views[id]; },
    cost: async () => ({ runs: 40, soldiers: 100, seconds: price, memory: 1e9, measured: true }),
    ask: async function* (question: Question) { asked.push(question); yield { type: "done", runs: question.runs, failed: 0, reused: 0, seconds: 0 }; },
  },
}));
vi.stubGlobal("document", { documentElement: { dataset: {} } });
vi.stubGlobal("window", { scrollTo: () => {} });

const { app } = await import("../src/state/app.svelte");
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const LINKS = {
  plain: "view=happened&case=small",
  set: "view=happened&case=small&set=fear.weight%3D0.52",
  taps: "view=whatif&case=small&with=no-taps",
  gone: "view=happened&case=small&without=oath",
  other: "view=why&case=large&seed=3",
};
const world = (question: Question | null): unknown => question && [question.case, question.seed, question.set, question.counterfactuals, question.without_events];
const WORLDS: Record<keyof typeof LINKS, unknown> = {
  plain: ["small", 0, {}, [], []],
  set: ["small", 0, { "fear.weight": 0.52 }, [], []],
  taps: ["small", 0, {}, ["no-taps"], []],
  gone: ["small", 0, {}, [], ["oath"]],
  other: ["large", 3, {}, [], []],
};

describe("links in an open tab", () => {
  beforeEach(async () => {
    asked = [];
    vi.stubGlobal("location", { hash: "" });
    await app.start();
  });

  it("wait to be run where they would compute for long, and no longer than they stand", async () => {
    await app.follow(LINKS.plain);
    await rest();
    asked = [];
    price = 100;
    await app.follow("view=happened&case=small&seed=91");
    await rest();
    expect([asked.length, app.held?.seconds]).toEqual([0, 100]);
    app.run();
    await rest();
    expect([asked.map((q) => q.seed), app.held]).toEqual([[91], null]);
    await app.follow("view=happened&case=small&seed=92");
    await rest();
    expect(app.held).not.toBeNull();
    price = 1;
    await app.follow("view=happened&case=small&seed=93");
    await rest();
    expect([asked.map((q) => q.seed), app.held]).toEqual([[91, 93], null]);
  });

  it("show the world that they name, whatever was shown before", async () => {
    const names = Object.keys(LINKS) as (keyof typeof LINKS)[];
    // Each after each other, there and back.
    for (const one of names)
      for (const other of names)
        for (const name of [one, other, one] as const) {
          await app.follow(`#${LINKS[name]}`);
          await rest();
          expect(world(app.asked)).toEqual(WORLDS[name]);
          expect(app.draft).toEqual(app.asked);
          expect(world(app.answer?.question ?? null)).toEqual(WORLDS[name]);
          expect(app.answer?.status).toBe("done");
          expect(app.hash()).toBe(LINKS[name]);
          expect(app.note).toBe("");
        }
    expect(asked.every((question) => Object.keys(question.set).length + question.counterfactuals.length + question.without_events.length <= 1)).toBe(true);
  });

  it("name what was not taken from them, and nothing of the link before", async () => {
    await app.follow("#view=happened&case=small&set=nothing%3D1");
    expect(app.note).toBe("Not taken from the link: set nothing=1.");
    await app.follow(`#${LINKS.set}`);
    expect(app.note).toBe("");
    await app.follow("#view=happened&case=nowhere&with=no-taps");
    expect(app.note).toContain("names a case that is not here");
    expect([world(app.asked), app.hash()]).toEqual([WORLDS.set, LINKS.set]);
  });

  it("leave what was changed and not yet run where they name the same question", async () => {
    await app.follow(`#${LINKS.taps}`);
    app.draft = { ...(app.draft as Question), seed: 9 };
    await app.follow("#view=why&case=small&with=no-taps");
    expect([app.draft.seed, app.asked?.seed, app.place.view]).toEqual([9, 0, "why"]);
  });

  it("give way to a later one", async () => {
    let there = (): void => {};
    slow.large = new Promise((resolve) => (there = resolve));
    const first = app.follow(`#${LINKS.other}`);
    expect(app.opening).toBe(true);
    await app.follow(`#${LINKS.set}`);
    there();
    await first;
    expect([world(app.asked), app.opening]).toEqual([WORLDS.set, false]);
  });
});
