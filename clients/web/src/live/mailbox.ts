/** Values on their way from callbacks to one reader that awaits them, in order. */
export class Mailbox<T> {
  private readonly waiting: T[] = [];
  private closed = false;
  private wake: (() => void) | undefined;

  /** Adds a value. */
  put(value: T): void {
    this.waiting.push(value);
    this.wake?.();
  }

  /** Ends it: what has not been taken is dropped. */
  close(): void {
    this.closed = true;
    this.wake?.();
  }

  /** The next value, once there is one; undefined after the end. */
  async take(): Promise<T | undefined> {
    while (!this.closed && this.waiting.length === 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    return this.closed ? undefined : this.waiting.shift();
  }
}
