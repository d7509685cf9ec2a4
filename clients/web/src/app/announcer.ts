/** What the page's one polite live region says: changes of state, never ticks. */
export class Announcer {
  private text = "";
  private readonly listeners = new Set<() => void>();

  /** The last announcement. */
  read = (): string => this.text;

  /** Calls listener at each announcement. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Says text, unless it is empty. */
  say(text: string): void {
    if (!text) return;
    // The same words twice in a row must differ, or nothing is read out.
    this.text = text === this.text ? `${text}\u00a0` : text;
    for (const listener of this.listeners) listener();
  }
}
