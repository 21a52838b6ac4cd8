import { describe, expect, it } from "vitest";
import { Loaded } from "../src/state/loaded.svelte";

/** Answers that come when they are told to. */
class Server {
  readonly waiting: { give: (value: number) => void; fail: (error: Error) => void }[] = [];
  readonly ask = (): Promise<number> => new Promise((give, fail) => this.waiting.push({ give, fail }));
  async give(value: number): Promise<void> {
    this.waiting.shift()?.give(value);
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
}

describe("what is fetched", () => {
  it("goes with the question that it belongs to, before there is anything of the next", async () => {
    const [server, loaded] = [new Server(), new Loaded<number>()];
    void loaded.load("a", server.ask);
    await server.give(1);
    expect([loaded.value, loaded.busy]).toEqual([1, false]);
    void loaded.load("b", null);
    expect([loaded.value, loaded.busy]).toEqual([null, false]);
    void loaded.load("b", server.ask);
    void loaded.load("a", null);
    await server.give(2);
    expect([loaded.value, loaded.error]).toEqual([null, ""]);
  });
  it("is shown however often it is wanted anew meanwhile, and is fetched by one request at a time", async () => {
    const [server, loaded] = [new Server(), new Loaded<number>()];
    for (let k = 0; k < 5; k += 1) void loaded.load("a", server.ask);
    expect(server.waiting).toHaveLength(1);
    await server.give(1);
    expect([loaded.value, loaded.busy, server.waiting.length]).toEqual([1, true, 1]);
    await server.give(2);
    expect([loaded.value, loaded.busy, server.waiting.length]).toEqual([2, false, 0]);
  });
  it("does not stand for what was wanted after it and could not be had", async () => {
    const [server, loaded] = [new Server(), new Loaded<number>()];
    void loaded.load("a", server.ask);
    await server.give(1);
    const next = loaded.load("a", server.ask);
    expect([loaded.value, loaded.busy, loaded.failed]).toEqual([1, true, false]);
    server.waiting.shift()?.fail(new Error("no such place"));
    await next;
    expect([loaded.value, loaded.busy, loaded.failed, loaded.error]).toEqual([null, false, true, "no such place"]);
    void loaded.load("b", null);
    expect([loaded.failed, loaded.error]).toEqual([false, ""]);
  });
  it("says what went wrong until the next is there", async () => {
    const [server, loaded] = [new Server(), new Loaded<number>()];
    const first = loaded.load("a", server.ask);
    server.waiting.shift()?.fail(new Error("no"));
    await first;
    expect([loaded.error, loaded.busy]).toEqual(["no", false]);
    void loaded.load("a", server.ask);
    await server.give(1);
    expect([loaded.value, loaded.error]).toEqual([1, ""]);
  });
});
