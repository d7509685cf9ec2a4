import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createRouterTransport,
  type Interceptor,
  type Transport,
} from "@connectrpc/connect";
import { EventSchema } from "@gen/events_pb";
import { type Run, type Wakeup, WakeupStatus } from "@gen/recovery_pb";
import {
  type CancelWaitRequest,
  type ListWakeupsRequest,
  RecoveryService,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@gen/recovery_service_pb";
import { Role, WorkspaceService } from "@gen/workspace_service_pb";

/** A server in memory that answers as the real one does, and remembers what it was asked. */
export class Backend {
  wakeups: Wakeup[] = [];
  runs: Run[] = [];
  role = Role.ADMIN;
  /** Thrown by every call while it is set. */
  failure: ConnectError | undefined;
  /** The names of the calls so far, oldest first. */
  readonly calls: string[] = [];
  readonly listed: ListWakeupsRequest[] = [];
  readonly cancelled: CancelWaitRequest[] = [];
  private readonly watchers = new Set<(m: WatchEventsResponse) => void>();
  private seq = 0;

  constructor(readonly now: () => number) {}

  /** Puts a wakeup in the place of the one with its id, or on top, and tells the watchers. */
  put(w: Wakeup): void {
    const at = this.wakeups.findIndex((x) => x.wakeupId === w.wakeupId);
    if (at < 0) this.wakeups = [w, ...this.wakeups];
    else this.wakeups = this.wakeups.with(at, w);
    this.tell(w);
  }

  /** How many streams are open. */
  get watching(): number {
    return this.watchers.size;
  }

  private tell(w: Wakeup): void {
    const event = create(EventSchema, {
      cursor: `c${++this.seq}`,
      type: "office.wakeup.updated",
      payload: { wakeup_id: w.wakeupId, status: WakeupStatus[w.status] ?? "" },
    });
    const message = create(WatchEventsResponseSchema, { message: { case: "event", value: event } });
    for (const push of this.watchers) push(message);
  }

  /** A connection to this server. */
  transport(interceptors: Interceptor[] = []): Transport {
    return createRouterTransport((router) => this.routes(router), { transport: { interceptors } });
  }

  private routes({ service }: ConnectRouter): void {
    service(RecoveryService, {
      listWakeups: (req) => this.answer("listWakeups", () => this.list(req)),
      getWakeup: (req) => this.answer("getWakeup", () => ({ wakeup: this.find(req.wakeupId) })),
      listRuns: (req) =>
        this.answer("listRuns", () => ({
          runs: this.runs.filter((r) => r.wakeupId === req.wakeupId),
        })),
      getRun: (req) =>
        this.answer("getRun", () => {
          const run = this.runs.find((r) => r.runId === req.runId);
          if (!run) throw new ConnectError("no such run", Code.NotFound);
          return { run };
        }),
      cancelWait: (req) => this.answer("cancelWait", () => this.cancel(req)),
      watchEvents: (_, context) => this.watch(context.signal),
    });
    service(WorkspaceService, {
      getCaller: () =>
        this.answer("getCaller", () => ({ workspaceId: "default", role: this.role })),
    });
  }

  private answer<T>(name: string, make: () => T): T {
    this.calls.push(name);
    if (this.failure) throw this.failure;
    return make();
  }

  private find(id: string): Wakeup {
    const found = this.wakeups.find((w) => w.wakeupId === id);
    if (!found) throw new ConnectError("no such wakeup", Code.NotFound);
    return found;
  }

  private list(req: ListWakeupsRequest) {
    this.listed.push(req);
    const fits = (w: Wakeup) =>
      (req.statuses.length === 0 || req.statuses.includes(w.status)) &&
      (req.code === 0 || w.lastClassification?.code === req.code);
    const all = this.wakeups.filter(fits);
    const from = Number(req.pageToken || 0);
    const size = req.pageSize || 50;
    const more = from + size < all.length;
    return {
      wakeups: all.slice(from, from + size),
      nextPageToken: more ? String(from + size) : "",
    };
  }

  private cancel(req: CancelWaitRequest) {
    this.cancelled.push(req);
    const w = this.find(req.wakeupId);
    if (req.expectedVersion !== 0n && req.expectedVersion !== w.version) {
      throw new ConnectError("the wakeup changed", Code.Aborted, { "x-request-id": "req-stale" });
    }
    const next = { ...w, status: WakeupStatus.CANCELLED, version: w.version + 1n };
    this.put(next);
    return { wakeup: next };
  }

  private async *watch(signal: AbortSignal): AsyncGenerator<WatchEventsResponse> {
    if (this.failure) throw this.failure;
    const queue: WatchEventsResponse[] = [this.heartbeat()];
    let wake = () => {};
    const push = (m: WatchEventsResponse) => {
      queue.push(m);
      wake();
    };
    this.watchers.add(push);
    signal.addEventListener("abort", () => wake());
    try {
      while (!signal.aborted) {
        const next = queue.shift();
        if (next) yield next;
        else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      this.watchers.delete(push);
    }
  }

  private heartbeat(): WatchEventsResponse {
    const value = { serverTime: timestampFromMs(this.now()), cursor: `c${this.seq}` };
    return create(WatchEventsResponseSchema, { message: { case: "heartbeat", value } });
  }
}
