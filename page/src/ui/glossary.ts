/** The page's terms, each in a sentence or two; alphabetical. */
export const GLOSSARY: readonly [term: string, means: string][] = [
  ["Counterfactual", "The same world with one thing changed: the same soldiers, the same random draws."],
  ["Declare", "To take the challenger's side in public. It is counted as open defection."],
  ["Interval", "The middle of the runs: 50% of them lie in the 50% interval, 90% in the 90% interval. It is the model's spread under its assumptions, not a promise."],
  ["Log-odds", "The scale on which reasons are added: +0.7 makes an option about twice as likely against its alternative, −0.7 half as likely."],
  ["Median", "The value in the middle: half of the runs lie below it, half above."],
  ["Moment", "A day on which a soldier has an occasion, such as leave or an errand, and may choose to stay, to leave or to speak."],
  ["Pair", "Run number k of one side beside run number k of the other. Both have the same soldiers and the same luck, so their difference is due to the change."],
  ["Posterior", "The parameter values that agree with the record, and how likely each is. Every run may draw its own values from it."],
  ["Quiet desertion", "Leaving the post without presenting oneself to anyone: into hiding or abroad."],
  ["Record", "What reports say was counted or seen, with the source behind each figure."],
  ["Registered", "Presented himself to the host and was admitted to its register. Not all who cross do."],
  ["Run", "One simulated course of the whole force, with its own random draws."],
  ["Target", "A figure of the record that runs are compared with. A ring marks it on the charts."],
  ["Utility", "What speaks for an option and against it, added up: grievance, fear, the baseline, comrades gone, the routes."],
  ["World that agrees with the record", "Parameters and random draws together, chosen so that the run meets the figures that are known. After the last of them it is a forecast."],
];
