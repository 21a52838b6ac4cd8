import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Question, StreamLine } from "../src/api/types";

interface Call { question: Question; signal: AbortSignal; tell: (line: StreamLine) => void; end: () => void }
const calls: Call[] = [];

vi.mock("../src/api/client", () => ({
  api: {
    ask: async function* (question: Question, signal: AbortSignal): AsyncGenerator<StreamLine> {
      const lines: (StreamLine | null)[] = [];
      let wake: () => void = () => {};
      const put = (line: StreamLine | null): void => { lines.push(line); wake(); };
      calls.push({ question, signal, tell: put, end: () => put(null) });
      signal.addEventListener("abort", () => wake());
      for (;;) {
        if (signal.aborted) throw new DOMException("aborted", "AbortError");
        const line = lines.shift();
        if (line === undefined) await new Promise<void>((resolve) => (wake = resolve));
        else if (line === null) return;
        else yield line;
      }
    },
  },
}));

const { Answers } = await import("../src/state/answers.svelte");
const question = (seed: number, set: Record<string, number> = {}): Question => ({
  case: "small", seed, runs: 4, counterfactuals: [], set, events: [], without_events: [], until: null, parameters: null, places: {}, funds: {},
});
const rest = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));
const finish = (call: Call | undefined): void => {
  call?.tell({ type: "done", key: "k", runs: 4, failed: 0, first_failure: "", reused: 0, seconds: 1 });
  call?.end();
};

describe("answers", () => {
  beforeEach(() => { calls.length = 0; });

  it("ask the changed question first and the case after it, over one connection at a time", async () => {
    const answers = new Answers();
    answers.ask([question(1, { a: 1 }), question(1)]);
    await rest();
    expect(calls.map((c) => c.question.set)).toEqual([{ a: 1 }]);
    expect(answers.of(question(1))?.status).toBe("waiting");
    finish(calls[0]);
    await rest();
    expect(calls).toHaveLength(2);
    finish(calls[1]);
    await rest();
    expect([answers.of(question(1))?.status, answers.of(question(1, { a: 1 }))?.status]).toEqual(["done", "done"]);
  });

  it("cancel whatever is not asked any more, the case beside it too", async () => {
    const answers = new Answers();
    answers.ask([question(1, { a: 1 }), question(1)]);
    await rest();
    finish(calls[0]);
    await rest();
    expect(calls[1]?.signal.aborted).toBe(false);
    answers.ask([question(2)]);
    await rest();
    expect(calls[1]?.signal.aborted).toBe(true);
    expect(answers.of(question(1))?.status).toBe("cancelled");
    expect(calls.map((c) => c.question.seed)).toEqual([1, 1, 2]);
  });

  it("cancel the line as well as what is under way, and go on from there when asked again", async () => {
    const answers = new Answers();
    const asked = [question(1, { a: 1 }), question(1)];
    answers.ask(asked);
    await rest();
    answers.cancel();
    await rest();
    expect(calls).toHaveLength(1);
    expect(asked.map((one) => answers.of(one)?.status)).toEqual(["cancelled", "cancelled"]);
    answers.ask(asked);
    await rest();
    expect(calls).toHaveLength(2);
    calls[0]?.tell({ type: "failed", error: "late" });
    finish(calls[1]);
    await rest();
    expect(answers.of(asked[0] as Question)?.status).toBe("done");
    expect(calls).toHaveLength(3);
  });

  it("ask again what failed, and leave alone what is done", async () => {
    const answers = new Answers();
    answers.ask([question(1)]);
    await rest();
    calls[0]?.tell({ type: "failed", error: "no" });
    calls[0]?.end();
    await rest();
    expect([answers.of(question(1))?.status, answers.of(question(1))?.error]).toEqual(["failed", "no"]);
    answers.ask([question(1)]);
    await rest();
    finish(calls[1]);
    await rest();
    answers.ask([question(1)]);
    await rest();
    expect(calls).toHaveLength(2);
  });
});
