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
import {
  Attention,
  type Run,
  SendKind,
  type Wakeup,
  WakeupSchema,
  WakeupStatus,
} from "@gen/recovery_pb";
import {
  type CancelWaitRequest,
  type ListRecoveriesRequest,
  type ListWakeupsRequest,
  RecoveryService,
  type ResumeSessionRequest,
  type RetryNowRequest,
  type StartFreshRequest,
  type StopRunRequest,
  type WatchEventsResponse,
  WatchEventsResponseSchema,
} from "@gen/recovery_service_pb";
import { Role, WorkspaceService } from "@gen/workspace_service_pb";
import { needing, recoveryOf } from "./recoveries";

/** What a person asked for, by the name of the call. */
export type Acted =
  | CancelWaitRequest
  | RetryNowRequest
  | StopRunRequest
  | ResumeSessionRequest
  | StartFreshRequest;

/** A server in memory that answers as the real one does, and remembers what it was asked. */
export class Backend {
  wakeups: Wakeup[] = [];
  runs: Run[] = [];
  role = Role.ADMIN;
  /** Thrown by every call while it is set. */
  failure: ConnectError | undefined;
  /** Thrown by the next call that a person makes, once. */
  refusal: ConnectError | undefined;
  /** Held back until it is resolved: the answer to what a person does. */
  gate: Promise<void> = Promise.resolve();
  /** The names of the calls so far, oldest first. */
  readonly calls: string[] = [];
  readonly listed: ListWakeupsRequest[] = [];
  /** What persons asked for, oldest first. */
  readonly acted: Acted[] = [];
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
      cancelWait: (req) => this.act("cancelWait", req, () => this.end(this.current(req))),
      retryNow: (req) => this.act("retryNow", req, () => this.retry(this.current(req))),
      stopRun: (req) => this.act("stopRun", req, () => this.stop(req)),
      resumeSession: (req) =>
        this.act("resumeSession", req, () => this.goOn(req, SendKind.CONTINUE)),
      startFresh: (req) => this.act("startFresh", req, () => this.goOn(req, SendKind.FRESH)),
      getSessionRecovery: (req) =>
        this.answer("getSessionRecovery", () => ({
          recovery: recoveryOf(this.newest(req.sessionId), this.runs),
        })),
      listRecoveries: (req) => this.answer("listRecoveries", () => this.recoveries(req)),
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

  private recoveries(req: ListRecoveriesRequest) {
    const all = needing(this.wakeups, req.attention);
    const from = Number(req.pageToken || 0);
    const size = req.pageSize || 50;
    return {
      recoveries: all.slice(from, from + size).map((w) => recoveryOf(w, this.runs)),
      nextPageToken: from + size < all.length ? String(from + size) : "",
    };
  }

  private async act<T>(name: string, req: Acted, make: () => T): Promise<T> {
    this.acted.push(req);
    await this.gate;
    const { refusal } = this;
    this.refusal = undefined;
    return this.answer(name, () => {
      if (refusal) throw refusal;
      return make();
    });
  }

  private stale(): never {
    throw new ConnectError("it changed", Code.Aborted, { "x-request-id": "req-stale" });
  }

  private current(req: CancelWaitRequest | RetryNowRequest): Wakeup {
    const w = this.find(req.wakeupId);
    if (req.expectedVersion !== 0n && req.expectedVersion !== w.version) this.stale();
    return w;
  }

  private end(w: Wakeup) {
    return this.change(w, { status: WakeupStatus.CANCELLED });
  }

  private retry(w: Wakeup) {
    return this.change(w, { status: WakeupStatus.QUEUED, attention: Attention.UNSPECIFIED });
  }

  private change(w: Wakeup, to: Partial<Wakeup>) {
    const wakeup = { ...w, ...to, version: w.version + 1n };
    this.put(wakeup);
    return { wakeup };
  }

  private stop(req: StopRunRequest) {
    const run = this.runs.find((r) => r.runId === req.runId);
    if (!run) throw new ConnectError("no such run", Code.NotFound);
    if (req.expectedVersion !== 0n && req.expectedVersion !== run.version) this.stale();
    const asked = { ...run, stopRequestedAt: timestampFromMs(this.now()) };
    this.runs = this.runs.with(this.runs.indexOf(run), asked);
    const w = this.find(run.wakeupId);
    this.tell(w);
    return { run: asked, wakeup: w };
  }

  private newest(sessionId: string): Wakeup {
    const all = this.wakeups.filter((w) => w.sessionId === sessionId);
    const [first, ...rest] = all;
    if (!first) throw new ConnectError("no such session", Code.NotFound);
    return rest.reduce((best, w) => (w.generation > best.generation ? w : best), first);
  }

  private goOn(req: ResumeSessionRequest | StartFreshRequest, nextSend: SendKind) {
    const last = this.newest(req.sessionId);
    if (req.expectedGeneration !== 0n && req.expectedGeneration !== last.generation) this.stale();
    const wakeup = create(WakeupSchema, {
      wakeupId: `${last.wakeupId}-next`,
      sessionId: last.sessionId,
      generation: last.generation + 1n,
      status: WakeupStatus.QUEUED,
      nextSend,
      version: 1n,
      ...(last.profile ? { profile: last.profile } : {}),
    });
    this.put({ ...last, attention: Attention.UNSPECIFIED });
    this.put(wakeup);
    return { wakeup };
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
