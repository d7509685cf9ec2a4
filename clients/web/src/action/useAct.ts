import { createClient } from "@connectrpc/connect";
import type { Wakeup } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { problemOf } from "../api/problem";
import { useLive, useServices } from "../app/services";
import { type Press, perform } from "./act";

/** What became of the last press. */
export interface Act {
  /** Carries a press out; the same one again after a failure counts once. */
  run: (press: Press) => void;
  /** Forgets the last press and what became of it. */
  clear: () => void;
  /** The press that is being carried out, until the page shows the server's answer. */
  pending: Press | undefined;
  /** The press that the server refused because something newer is there. */
  refused: Press | undefined;
  /** The press that failed otherwise. */
  failed: Press | undefined;
  error: Error | null;
}

/** Lets a person press, one thing at a time. done is told what the server answered. */
export function useAct(done?: (press: Press, wakeup: Wakeup | undefined) => void): Act {
  const { transport } = useServices();
  const queries = useQueryClient();
  const client = useMemo(() => createClient(RecoveryService, transport), [transport]);
  const m = useMutation({
    mutationFn: (p: Press) => perform(client, p),
    onSuccess: ({ wakeup }, p) => done?.(p, wakeup),
    // Pending until what is on the screen is the state after the press.
    onSettled: () => queries.invalidateQueries(),
  });
  const conflict = m.isError && problemOf(m.error).conflict;
  return {
    run: (p) => {
      if (!m.isPending) m.mutate(p);
    },
    clear: m.reset,
    pending: m.isPending ? m.variables : undefined,
    refused: conflict ? m.variables : undefined,
    failed: m.isError && !conflict ? m.variables : undefined,
    error: m.error,
  };
}

/** Data older than this must be read again before anything is pressed, in milliseconds. */
export const OLD_AFTER_MS = 60_000;

/** Whether what is shown is too old to act on. */
export function useTooOld(): boolean {
  const { phase, lastHeard } = useLive();
  const { clock } = useServices();
  return phase === "stale" && clock.now() - (lastHeard ?? 0) > OLD_AFTER_MS;
}
