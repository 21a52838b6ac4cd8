import type { Component } from "svelte";
import type { CaseView, ViewAnswer } from "./api/types";

/** What packages add to the page; each registers itself in the `page/register.ts` of its folder. */
interface Added {
  /** The view in which reports are read. */
  desk?: Component<{ view: CaseView }>;
  /** What accepted figures say of a forecast: the forecast with them on it, and a section below its chart. */
  ahead?: { marked: (found: ViewAnswer, view: CaseView) => ViewAnswer; section: Component<{ view: CaseView; found: ViewAnswer }> };
}

export const added: Added = {};
