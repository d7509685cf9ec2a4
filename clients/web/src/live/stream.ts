import type { Event } from "@gen/events_pb";
import type { WatchEventsResponse } from "@gen/recovery_service_pb";
import { backoffMs } from "./backoff";

/** What a person is told about the stream. */
export type Phase = "off" | "connecting" | "live" | "reconnecting" | "stale";

/** The stream's state. lastHeard is when the server was last heard, by its clock; undefined if never. */
export interface LiveState {
  phase: Phase;
  lastHeard: number | undefined;
}

/** Without a sign of life for this long the connection counts as dead; the server sends one each 15 s. */
export const SILENCE_MS = 40_000;
/** A broken connection that lasts this long makes the page stale. */
export const STALE_AFTER_MS = 10_000;

/** What the stream needs from outside. */
export interface LiveDeps {
  /** Opens the server's stream after cursor; from now on if it is empty. */
  watch(cursor: string, signal: AbortSignal): AsyncIterable<WatchEventsResponse>;
  /** The server's time in milliseconds. */
  now(): number;
  /** A number in [0,1). */
  random(): number;
  setTimeout(run: () => void, afterMs: number): unknown;
  clearTimeout(id: unknown): void;
  /** Something happened. */
  onEvent(event: Event): void;
  /** Something may have happened that no event told: read everything again. */
  onGap(): void;
  /** Whether err ends the stream for good, as a missing login does. */
  isFinal(err: unknown): boolean;
  /** Whether err says that the cursor is too old. */
  isExpired(err: unknown): boolean;
}

/** The page's one stream of events: it resumes where it broke off, and says how fresh it is. */
export class LiveStream {
  private state: LiveState = { phase: "off", lastHeard: undefined };
  private readonly listeners = new Set<() => void>();
  private cursor = "";
  private attempt = 0;
  private abort: AbortController | undefined;
  private silence: unknown;
  private staleness: unknown;

  constructor(private readonly deps: LiveDeps) {}

  /** The present state; the same object until it changes. */
  read = (): LiveState => this.state;

  /** Calls listener at each change. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Starts watching; does nothing if it already does. */
  start(): void {
    if (this.abort) return;
    this.abort = new AbortController();
    this.set({ phase: "connecting" });
    this.armStaleness();
    void this.run(this.abort.signal);
  }

  /** Stops everything: the stream, its timers and its attempts. */
  stop(): void {
    this.abort?.abort();
    this.abort = undefined;
    this.clear();
    // What happened meanwhile is read anew at the next start, so no cursor is kept.
    this.cursor = "";
    this.attempt = 0;
    this.set({ phase: "off" });
  }

  /** Everything on the screen was read again just now, by hand. */
  refreshed(): void {
    this.set({ lastHeard: this.deps.now() });
  }

  private async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.connect(signal);
      } catch (err) {
        if (signal.aborted) return;
        if (this.deps.isFinal(err)) return this.stop();
        if (this.deps.isExpired(err)) this.cursor = "";
      }
      if (signal.aborted) return;
      this.broke();
      await this.pause(backoffMs(this.attempt++, this.deps.random()), signal);
    }
  }

  private async connect(signal: AbortSignal): Promise<void> {
    const one = new AbortController();
    const end = () => one.abort();
    signal.addEventListener("abort", end);
    const fresh = this.cursor === "";
    let first = true;
    try {
      this.armSilence(end);
      for await (const message of this.deps.watch(this.cursor, one.signal)) {
        if (signal.aborted) return;
        this.armSilence(end);
        this.heard();
        if (first && fresh) this.deps.onGap();
        first = false;
        this.take(message);
      }
    } finally {
      signal.removeEventListener("abort", end);
      this.deps.clearTimeout(this.silence);
      end();
    }
  }

  private take({ message }: WatchEventsResponse): void {
    if (message.case === "event") {
      this.cursor = message.value.cursor;
      this.deps.onEvent(message.value);
    } else if (message.case === "heartbeat" && message.value.cursor) {
      this.cursor = message.value.cursor;
    }
  }

  private heard(): void {
    this.attempt = 0;
    this.deps.clearTimeout(this.staleness);
    this.staleness = undefined;
    this.set({ phase: "live", lastHeard: this.deps.now() });
  }

  private broke(): void {
    if (this.state.phase === "live") {
      this.set({ phase: "reconnecting" });
      this.armStaleness();
    }
  }

  private armStaleness(): void {
    this.staleness = this.deps.setTimeout(() => this.set({ phase: "stale" }), STALE_AFTER_MS);
  }

  private armSilence(end: () => void): void {
    this.deps.clearTimeout(this.silence);
    this.silence = this.deps.setTimeout(end, SILENCE_MS);
  }

  private pause(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const id = this.deps.setTimeout(resolve, ms);
      signal.addEventListener("abort", () => {
        this.deps.clearTimeout(id);
        resolve();
      });
    });
  }

  private clear(): void {
    this.deps.clearTimeout(this.silence);
    this.deps.clearTimeout(this.staleness);
  }

  private set(change: Partial<LiveState>): void {
    const next = { ...this.state, ...change };
    const same = next.phase === this.state.phase && next.lastHeard === this.state.lastHeard;
    if (same) return;
    this.state = next;
    for (const listener of this.listeners) listener();
  }
}
