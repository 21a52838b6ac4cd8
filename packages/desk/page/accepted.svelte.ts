import { api } from "$page/api/client";
import { said } from "$page/api/reach.svelte";
import type { CaseView, ShownTable, ViewAnswer } from "$page/api/types";
import { baseline } from "$page/state/question";
import { counts, placed, type Placed } from "./ahead";
import { requests } from "./requests";
import type { DeskView } from "./types";

const KEPT = "breakrank-counts";

function kept(): Record<string, string> {
  try {
    return JSON.parse(localStorage.getItem(KEPT) ?? "{}") as Record<string, string>;
  } catch {
    return {};
  }
}

/** The figures that were accepted and that the case does not rest on yet, and what the reader says they count. */
class Accepted {
  desk = $state.raw<DeskView | null>(null);
  /** The measure of a figure where the reader chose one, by its id in the ledger. */
  chosen = $state<Record<string, string>>(kept());
  /** The forecast that is kept, where the desk is open and not the forecast. */
  forecast = $state.raw<ViewAnswer | null>(null);
  /** What taking them in changes, once that is there. */
  after = $state.raw<{ says: string; table: ShownTable } | null>(null);
  error = $state("");

  /** Note what a figure counts; this browser keeps it, so that it outlives the tab and the server. */
  choose(figure: string, measure: string): void {
    this.chosen = { ...this.chosen, [figure]: measure };
    try {
      localStorage.setItem(KEPT, JSON.stringify(this.chosen));
    } catch {
      // a browser that keeps nothing still lays the figure beside the forecast
    }
  }

  async load(): Promise<void> {
    try {
      this.desk = await requests.desk();
    } catch (error) {
      this.error = said(error);
    }
  }

  /** Read the forecast that is kept; nothing is computed. */
  async read(view: CaseView, asOf: string | null): Promise<void> {
    try {
      this.forecast = await api.shownNow({ view: "next", question: baseline(view), as_of: asOf });
    } catch {
      this.forecast = null; // What next tells what is wrong with it
    }
  }

  /** Where each falls in a forecast, the last accepted first. */
  placed(found: ViewAnswer | null, view: CaseView): Placed[] {
    const { desk, chosen } = this;
    if (!desk || !found?.ahead) return [];
    const ahead = found.ahead;
    return desk.accepted.map((one) => placed(one, chosen[one.id] ?? counts(one, desk.quantities, view, ahead), ahead, found.as_of ?? view.start));
  }
}

export const accepted = new Accepted();
