import { expect, test } from "vitest";
import { apart, firstApart } from "../src/lib/twins";

const dated = (...told: [string, string][]) => told.map(([date, text]) => ({ date, text }));
const life = (fate: string, events: [string, string][], why = "pay") => ({
  fate,
  events: dated(...events),
  sentences: [{ date: "2019-02-20", said: "", text: why }],
});
const LEFT: [string, string] = ["2019-02-24", "he set out for Colombia"];
const BEFORE: [string, string] = ["2019-01-23", "a comrade confided in him"];

test("lives that are the same are told to be", () => {
  expect(apart(life("serving", [BEFORE]), life("serving", [BEFORE]), "the case")).toBe("Nothing changes for this soldier.");
});

test("reasons that weigh otherwise are no other life", () => {
  const words = apart(life("serving", [BEFORE]), life("serving", [BEFORE], "fear"), "the case");
  expect(words).toBe("Nothing that happens to this soldier changes. His reasons weigh otherwise from 20 February 2019 on.");
});

test("the first day that differs is found, with what each side tells of it", () => {
  const other: [string, string] = ["2019-02-24", "he was arrested"];
  const found = firstApart(dated(BEFORE, LEFT), dated(BEFORE, other));
  expect(found).toEqual({ day: "2019-02-24", here: LEFT[1], there: other[1] });
});

test("where one side tells of an earlier day, that day counts", () => {
  const later: [string, string] = ["2019-03-02", "he was arrested"];
  expect(firstApart(dated(BEFORE, later), dated(BEFORE, LEFT, later))).toEqual({ day: "2019-02-24", here: "", there: LEFT[1] });
  const words = apart(life("prison", [BEFORE, later]), life("abroad", [BEFORE, LEFT, later]), "the case");
  expect(words).toBe("The two lives first differ on 24 February 2019. With the changes, nothing of the kind happens to him that day; in the case, he set out for Colombia.");
});

test("one life may go on where the other has nothing more to tell", () => {
  expect(firstApart(dated(BEFORE), dated(BEFORE, LEFT))?.day).toBe("2019-02-24");
  expect(apart(life("abroad", [BEFORE]), life("abroad", [BEFORE, LEFT]), "the case")).toContain("He ends in the same place.");
});

test("what happens on both sides of a day is no difference", () => {
  const other: [string, string] = ["2019-02-24", "he was arrested"];
  expect(firstApart(dated(other, LEFT), dated(LEFT))).toEqual({ day: "2019-02-24", here: other[1], there: "" });
  expect(firstApart(dated(LEFT, other), dated(other, LEFT))).toBeNull();
});
