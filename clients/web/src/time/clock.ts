interface Sample {
  /** Server time minus browser time, in milliseconds. */
  offset: number;
  /** How long the call took, in milliseconds; half of it is the sample's error. */
  roundTrip: number;
  /** When it was taken, in browser milliseconds. */
  at: number;
}

/** A sample is worth as much as one that took this much longer but is new. */
const AGEING_MS_PER_MS = 1 / 600;

/**
 * The server's clock, as well as it is known here. A browser's own clock may be
 * minutes off, and deadlines are the server's.
 */
export class ServerClock {
  private sample: Sample | undefined;

  constructor(private readonly browserNow: () => number = Date.now) {}

  /** The server's time now, in milliseconds since 1970. */
  now(): number {
    return this.browserNow() + this.offset;
  }

  /** Server time minus browser time, in milliseconds; 0 until an answer came. */
  get offset(): number {
    return this.sample?.offset ?? 0;
  }

  /** The browser's time, for measuring how long a call takes. */
  browserTime(): number {
    return this.browserNow();
  }

  /**
   * Learns from one answer. serverMs is when the server sent it, the other two
   * are browser times around the call. Quick calls are trusted more than slow
   * ones, new ones more than old ones.
   */
  observe(serverMs: number, sentMs: number, receivedMs: number): void {
    const roundTrip = receivedMs - sentMs;
    if (!Number.isFinite(serverMs) || roundTrip < 0) return;
    const fresh = { offset: serverMs - (sentMs + receivedMs) / 2, roundTrip, at: receivedMs };
    if (this.sample && this.sample.roundTrip + this.age(receivedMs) < roundTrip) return;
    this.sample = fresh;
  }

  private age(nowMs: number): number {
    return this.sample ? (nowMs - this.sample.at) * AGEING_MS_PER_MS : 0;
  }
}

/**
 * Reads an x-server-time header: an RFC 3339 instant, or seconds or
 * milliseconds since 1970. NaN if it is none of them.
 */
export function parseServerTime(header: string): number {
  const text = header.trim();
  if (/^\d+(\.\d+)?$/.test(text)) {
    const value = Number(text);
    return value < 1e11 ? value * 1000 : value;
  }
  return Date.parse(text);
}
