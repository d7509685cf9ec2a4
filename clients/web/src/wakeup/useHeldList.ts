import type { Wakeup } from "@gen/recovery_pb";
import { useEffect, useRef, useState } from "react";
import type { Announcer } from "../app/announcer";
import { announcementOf } from "./changes";
import { type HeldList, hold, release } from "./held";

/** A list that keeps its rows in place while somebody points at it. */
export interface HeldListView extends HeldList {
  /** Lets the held rows go. */
  release: () => void;
  /** Goes on the element around the list. */
  watch: {
    onPointerEnter: (event: { pointerType: string }) => void;
    onPointerLeave: () => void;
    onFocus: () => void;
    onBlur: (event: { currentTarget: Element; relatedTarget: EventTarget | null }) => void;
  };
}

/**
 * Shows latest, except while a pointer or the focus is on the list: then rows
 * stay where they are and newer ones wait behind a count. key names the filter;
 * another filter is another list. Changes of state are announced.
 */
export function useHeldList(latest: Wakeup[], key: string, announcer: Announcer): HeldListView {
  const [kept, setKept] = useState<{ key: string; shown: Wakeup[] } | undefined>();
  const at = useRef({ pointer: false, focus: false });
  const before = useRef<{ key: string; list: Wakeup[] } | undefined>(undefined);

  useEffect(() => {
    if (before.current?.key === key) announcer.say(announcementOf(before.current.list, latest));
    before.current = { key, list: latest };
  }, [latest, key, announcer]);

  const point = (change: Partial<{ pointer: boolean; focus: boolean }>) => {
    const was = at.current.pointer || at.current.focus;
    Object.assign(at.current, change);
    const is = at.current.pointer || at.current.focus;
    if (is !== was) setKept(is ? { key, shown: latest } : undefined);
  };
  const list = kept?.key === key ? hold(kept.shown, latest) : release(latest);
  return {
    ...list,
    release: () => setKept({ key, shown: latest }),
    watch: {
      // A finger has no hover: what it touches is pressed at once.
      onPointerEnter: (e) => point({ pointer: e.pointerType !== "touch" }),
      onPointerLeave: () => point({ pointer: false }),
      onFocus: () => point({ focus: true }),
      onBlur: (e) => {
        if (!e.currentTarget.contains(e.relatedTarget as Node | null)) point({ focus: false });
      },
    },
  };
}
