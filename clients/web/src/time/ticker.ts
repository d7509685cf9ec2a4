import { tickInterval } from "./countdown";

/** What the ticker needs of the page. */
export interface TickerHost {
  setTimeout(run: () => void, afterMs: number): number;
  clearTimeout(id: number): void;
  hidden(): boolean;
  onVisibility(run: () => void): void;
}

/** The browser as a host. */
export const browserHost: TickerHost = {
  setTimeout: (run, afterMs) => window.setTimeout(run, afterMs),
  clearTimeout: (id) => window.clearTimeout(id),
  hidden: () => document.hidden,
  onVisibility: (run) => document.addEventListener("visibilitychange", run),
};

/**
 * The page's only timer for everything that counts: each second while a
 * deadline is within the hour, else each minute; none while the page is hidden,
 * nobody listens or the data are too old to count on.
 */
export class Ticker {
  private readonly listeners = new Map<() => void, number | undefined>();
  private timer: number | undefined;
  private current: number;
  private halted = false;

  constructor(
    private readonly now: () => number,
    private readonly host: TickerHost = browserHost,
  ) {
    this.current = now();
    host.onVisibility(() => this.beat());
  }

  /** The server's time at the last tick, in milliseconds since 1970. */
  read = (): number => this.current;

  /** Calls listener at each tick; deadlineMs, if given, sets the pace. */
  subscribe(listener: () => void, deadlineMs?: number): () => void {
    this.listeners.set(listener, deadlineMs);
    if (!this.halted && this.now() - this.current >= 1_000) this.current = this.now();
    this.schedule();
    return () => {
      this.listeners.delete(listener);
      this.schedule();
    };
  }

  /** Stops the numbers, or lets them run again from the present moment. */
  freeze(halted: boolean): void {
    if (halted === this.halted) return;
    this.halted = halted;
    if (!halted) this.current = this.now();
    this.schedule();
    this.notify();
  }

  private beat(): void {
    if (!this.halted && !this.host.hidden()) {
      this.current = this.now();
      this.notify();
    }
    this.schedule();
  }

  private notify(): void {
    for (const listener of [...this.listeners.keys()]) listener();
  }

  private schedule(): void {
    if (this.timer !== undefined) this.host.clearTimeout(this.timer);
    this.timer = undefined;
    if (this.halted || this.listeners.size === 0 || this.host.hidden()) return;
    const deadlines = [...this.listeners.values()].filter((d) => d !== undefined);
    const every = tickInterval(deadlines, this.now());
    // Aligned to the second, so that all countdowns of the page turn together.
    const wait = every - (this.now() % every);
    this.timer = this.host.setTimeout(() => this.beat(), wait);
  }
}
