import { expect, test } from "vitest";
import { withoutWeights } from "../src/lib/plainly";

test("log-odds are left out, chances and reasons stay", () => {
  const told =
    "He weighed deserting quietly (1 in 22). Deserting quietly: for it pay does not buy the basket +2.5, orders to repress +0.8; " +
    "against it watched and caught \u22121.0, dependants to feed \u22120.4; the rest +0.6; in all +3.6 on a base rate of 1 in 170. He stayed.";
  expect(withoutWeights(told)).toBe(
    "He weighed deserting quietly (1 in 22). Deserting quietly: for it pay does not buy the basket, orders to repress; " +
      "against it watched and caught, dependants to feed. He stayed.",
  );
  expect(withoutWeights("in all +15.7 on a base rate of 1 in 5,700")).toBe("in all +15.7 on a base rate of 1 in 5,700");
  expect(withoutWeights("a chance of 14 in 100: for it about to be taken +10.9; in all +10.7 on a base rate of 1 in 5,700. He set out")).toBe(
    "a chance of 14 in 100: for it about to be taken. He set out",
  );
  expect(withoutWeights("for it a report is rewarded +0.9; against it one is opposed oneself \u22124.0; in all \u22123.1. He kept it to himself")).toBe(
    "for it a report is rewarded; against it one is opposed oneself. He kept it to himself",
  );
});

test("a text without weights stays as it is", () => {
  const told = "On 7 December a comrade of his unit (soldier 159,009), who was in the plot, was overheard.";
  expect(withoutWeights(told)).toBe(told);
});
