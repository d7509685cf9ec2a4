/** Whether the server still answers this browser, or asks for a login. */
export class Gate {
  private closed = false;
  private readonly listeners = new Set<() => void>();

  /** True once any call was refused for lack of a login. */
  read = (): boolean => this.closed;

  /** Calls listener at each change. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** A call was refused for lack of a login. */
  close(): void {
    this.set(true);
  }

  /** A login succeeded. */
  open(): void {
    this.set(false);
  }

  private set(closed: boolean): void {
    if (closed === this.closed) return;
    this.closed = closed;
    for (const listener of this.listeners) listener();
  }
}
