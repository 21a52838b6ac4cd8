import type { Wish } from "../api/client";
import type { ViewAnswer } from "../api/types";

/** The view that is open: what it was asked, and what it found. That is what is shared. */
class Shared {
  found = $state.raw<ViewAnswer | null>(null);
  wish = $state.raw<Wish | null>(null);
}

export const on = new Shared();
