import { code } from "./causes";
import { action, boundary, receipt, stopReason } from "./outcomes";

/** One step that led to a decision, taken apart. */
export interface Fact {
  /** The entry as the server recorded it. */
  entry: string;
  /** What was looked at; the key itself if this page does not know it. */
  label: string;
  /** What was found, in words; the value itself if this page does not know it; "" if there is none. */
  found: string;
}

const reasons: Record<string, string> = {
  short_retry: "A short failure, and retries are left.",
  launch_retry: "The host could not start the agent, and nothing was sent.",
  policy_retry: "The policy allows a retry of this class.",
  reset_wait: "The stated reset is near enough to wait for.",
};

const rows: Record<string, string> = {
  retry: "retried on short delays",
  retry_if_short: "retried if the throttle is short",
  stop_show_reset: "stopped, and the reset is shown",
  stop_name_action: "stopped, and what a person must do is named",
  stopped_by_gate: "stopped before any policy",
  short_phase: "retried on short delays",
  short_phase_if_short: "retried if the throttle is short",
  launch_only: "retried only while starting",
  renewable: "waits for its reset",
  action_required: "waits for a person",
};

const bounds: Record<string, string> = {
  off: "recovery is switched off",
  max_cost_per_run: "a run cost more than was allowed",
  max_total_wait: "it would wait longer in all than was allowed",
  max_attempts_per_day: "it had as many runs within a day as were allowed",
  run_window: "runs may begin only at certain hours",
};

const sources: Record<string, string> = {
  user_prompt: "a prompt",
  user_resume: "a person who resumed it",
  user_start_fresh: "a person who started fresh",
};

// The server's short words for actions, where they are not the contract's.
const actions: Record<string, string> = { wait: "wait_for_reset" };

interface Step {
  label: string;
  words?: (value: string) => string | undefined;
}

const steps: Record<string, Step> = {
  code: { label: "cause", words: (v) => parsed(code, v) },
  rule: { label: "rule that matched" },
  agent_retrying: { label: "the agent was retrying by itself" },
  hint: { label: "stated time", words: instant },
  gate: { label: "stopped by the safety gate", words: reasonText },
  boundary: { label: "safe because", words: (v) => parsed(boundary, v) },
  policy: { label: "policy" },
  row: { label: "what the policy does with this cause", words: (v) => rows[v] },
  exhausted: { label: "nothing left to try", words: reasonText },
  consent: { label: "limit on unattended work", words: (v) => bounds[v] },
  runs: { label: "runs within a day" },
  short_phase: {
    label: "who tries the provider",
    words: (v) => (v === "owned_by_other" ? "another run, for all" : undefined),
  },
  retry: { label: "retry" },
  delay: { label: "delay before jitter" },
  retry_at: { label: "next attempt", words: instant },
  receipt: { label: "the time is", words: (v) => parsed(receipt, v) },
  send: { label: "what is sent" },
  wakeup: { label: "the wakeup" },
  action: { label: "so", words: (v) => parsed(action, actions[v] ?? v) },
  reason: { label: "because", words: reasonText },
};

/** Reads an entry of a decision's because list: "key=value", or one word. */
export function readFact(entry: string): Fact {
  const at = entry.indexOf("=");
  const key = at < 0 ? entry : entry.slice(0, at);
  const value = at < 0 ? "" : entry.slice(at + 1);
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return { entry, label: step?.label ?? key, found: step?.words?.(value) ?? value };
}

/** Why something stopped or ended, in words; undefined if this page does not know the reason. */
export function reasonText(slug: string): string | undefined {
  return parsed(stopReason, slug) ?? (Object.hasOwn(reasons, slug) ? reasons[slug] : undefined);
}

const endings: Record<string, string> = {
  succeeded: "The agent finished.",
  superseded: "A newer prompt replaced it.",
  cancelled: "A person ended it.",
  stopped: "A person stopped its run.",
};

/** Why a wakeup ended as it did; the server's word if this page does not know it. */
export function endingText(slug: string): string {
  return (Object.hasOwn(endings, slug) ? endings[slug] : reasonText(slug)) ?? slug;
}

/** Who or what made a wakeup; the server's word if this page does not know it. */
export function sourceText(slug: string): string {
  return (Object.hasOwn(sources, slug) ? sources[slug] : undefined) ?? slug;
}

interface Table<E> {
  parse(slug: string): E | undefined;
  text(value: E): string;
}

function parsed<E>(table: Table<E>, slug: string): string | undefined {
  const value = table.parse(slug);
  return value === undefined ? undefined : table.text(value);
}

function instant(value: string): string | undefined {
  const ms = Date.parse(value);
  if (Number.isNaN(ms)) return undefined;
  return `${new Date(ms).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
