import { createConnectQueryKey } from "@connectrpc/connect-query";
import type { Event } from "@gen/events_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import type { QueryClient } from "@tanstack/react-query";

const method = RecoveryService.method;

/** Which reads events make old: the wakeups they name, every list, and what may be done. */
export function staleKeys(events: readonly Event[]): readonly (readonly unknown[])[] {
  const ids = new Set<string>();
  for (const { payload } of events) {
    const id = payload?.wakeup_id;
    if (typeof id === "string") ids.add(id);
  }
  return [
    createConnectQueryKey({ schema: method.listWakeups, cardinality: "finite" }),
    createConnectQueryKey({ schema: method.listRecoveries, cardinality: "finite" }),
    // An event need not name the session that it is about.
    createConnectQueryKey({ schema: method.getSessionRecovery, cardinality: "finite" }),
    ...[...ids].flatMap((wakeupId) => [
      createConnectQueryKey({
        schema: method.getWakeup,
        input: { wakeupId },
        cardinality: "finite",
      }),
      createConnectQueryKey({
        schema: method.listRuns,
        input: { wakeupId },
        cardinality: "finite",
      }),
    ]),
  ];
}

/** Collects events for a moment, so that a burst reads each thing once. */
export class Invalidator {
  private pending: Event[] = [];
  private timer: number | undefined;

  constructor(
    private readonly client: QueryClient,
    private readonly waitMs = 150,
  ) {}

  /** Something happened. */
  take(event: Event): void {
    this.pending.push(event);
    this.timer ??= window.setTimeout(() => this.flush(), this.waitMs);
  }

  /** Everything may be old. */
  all(): void {
    void this.client.invalidateQueries();
  }

  private flush(): void {
    const events = this.pending;
    this.pending = [];
    this.timer = undefined;
    for (const queryKey of staleKeys(events)) void this.client.invalidateQueries({ queryKey });
  }
}
