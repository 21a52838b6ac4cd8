/** What a reader does who wants to go elsewhere. */
const LEAVES = ["wheel", "touchstart", "pointerdown", "keydown"] as const;
/** Milliseconds within which charts above may still grow, and between two looks. */
const GROWS = 3000;
const LOOKS = 100;

/** Go to a part of the view and stay there while what stands above it is still being drawn. */
export function jump(id: string): void {
  const one = document.getElementById(id);
  if (!one) return;
  one.focus({ preventScroll: true });
  const end = performance.now() + GROWS;
  const stay = (): void => {
    one.scrollIntoView({ block: "start" });
    if (performance.now() > end) leave();
  };
  const timer = setInterval(stay, LOOKS);
  const leave = (): void => {
    clearInterval(timer);
    for (const what of LEAVES) removeEventListener(what, leave);
  };
  for (const what of LEAVES) addEventListener(what, leave, { passive: true });
  stay();
}
