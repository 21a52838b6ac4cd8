import type { CaseView } from "../api/types";

/** How a result of a case is cited: the model, the case as it was, and where its sources stand. */
export function cited(view: Pick<CaseView, "id" | "digest">, version: string, day = new Date()): string {
  return `Cite as: The Breakrank contributors, Breakrank ${version}, case ${view.id} (digest ${view.digest.slice(0, 12)}), made ${day.toISOString().slice(0, 10)}; sources in the case's evidence.`;
}
