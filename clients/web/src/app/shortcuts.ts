import { useEffect, useRef } from "react";
import { useServices } from "./services";

/** Keys to what they do. */
export type Shortcuts = Record<string, (event: KeyboardEvent) => void>;

/**
 * Listens for single keys while the component is there. They are off in text
 * fields and dialogs, with a modifier held, and when a person turned them off.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const { keysWanted } = useServices();
  const latest = useRef(shortcuts);
  latest.current = shortcuts;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!keysWanted.read() || isTaken(event)) return;
      const run = latest.current[event.key];
      if (!run) return;
      event.preventDefault();
      run(event);
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [keysWanted]);
}

function isTaken(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return true;
  const target = event.target;
  if (!(target instanceof Element)) return false;
  const inDialog = document.querySelector("[role=dialog][aria-modal=true], [role=menu]") !== null;
  return inDialog || target.closest("textarea, select, input:not([type=checkbox])") !== null;
}

/** Presses the button of an action inside root, if there is one that may be pressed. */
export function pressAction(root: ParentNode | null | undefined, slug: string): void {
  root?.querySelector<HTMLElement>(`[data-act="${slug}"]`)?.click();
}

/** Moves the focus to the next or previous element that selector finds. */
export function moveFocus(selector: string, by: 1 | -1): void {
  const all = [...document.querySelectorAll<HTMLElement>(selector)];
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = at < 0 ? (by > 0 ? 0 : all.length - 1) : at + by;
  const target = all[Math.max(0, Math.min(all.length - 1, next))];
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}
