import { useSyncExternalStore } from "react";

/** Something that this browser remembers: on or off. */
export class Preference {
  private readonly listeners = new Set<() => void>();
  private value: boolean;

  /** A preference is on until somebody turns it off. */
  constructor(
    private readonly key: string,
    private readonly storage: Pick<Storage, "getItem" | "setItem"> | undefined = localStore(),
  ) {
    this.value = this.storage?.getItem(key) !== "off";
  }

  /** Whether it is on. */
  read = (): boolean => this.value;

  /** Calls listener at each change. */
  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  /** Turns it on or off. */
  set(on: boolean): void {
    this.value = on;
    this.storage?.setItem(this.key, on ? "on" : "off");
    for (const listener of this.listeners) listener();
  }
}

/** The value of a preference, and how to change it. */
export function usePreference(p: Preference): [boolean, (on: boolean) => void] {
  return [useSyncExternalStore(p.subscribe, p.read), (on) => p.set(on)];
}

// A browser may refuse storage altogether; then nothing is remembered.
function localStore(): Storage | undefined {
  try {
    return window.localStorage;
  } catch {
    return undefined;
  }
}
