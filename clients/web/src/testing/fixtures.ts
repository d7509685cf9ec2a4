import { create, type DescMessage, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Class, Code, Confidence, Delivery, Effect, Phase, Scope } from "@gen/common_pb";
import {
  Action,
  Attention,
  Boundary,
  type Decision,
  PolicyPreset,
  ReceiptKind,
  Remedy,
  type Run,
  RunOutcome,
  RunSchema,
  RunState,
  SendKind,
  StopReason,
  type Wakeup,
  WakeupSchema,
  WakeupStatus,
} from "@gen/recovery_pb";

/** The moment at which every fixture lives: 2026-11-30 14:00:00 UTC. */
export const NOW = Date.UTC(2026, 10, 30, 14, 0, 0);

/** A timestamp this many seconds from NOW. */
export const at = (seconds: number) => timestampFromMs(NOW + seconds * 1000);

/** The fields of a message, without the message itself. */
type Fields<D extends DescMessage> = Exclude<MessageInitShape<D>, Message>;

/** The first fields, with the second ones instead where both name one. */
function over<D extends DescMessage>(base: Fields<D>, init: Fields<D>): Fields<D> {
  return { ...base, ...init };
}

const profile = {
  agentKind: "claude",
  agentVersion: "2.1.328",
  provider: "anthropic",
  model: "sonnet",
  argvShape: ["claude", "-p"] as string[],
  labels: { repo: "shop" },
  policy: { preset: PolicyPreset.INTERACTIVE, replaySafe: true },
};

/** A queued wakeup; override what the test is about. */
export function wakeup(init: Fields<typeof WakeupSchema> = {}): Wakeup {
  return create(
    WakeupSchema,
    over<typeof WakeupSchema>(
      {
        wakeupId: "w-1",
        sessionId: "s-1",
        generation: 1n,
        status: WakeupStatus.QUEUED,
        source: "user_prompt",
        profile,
        supervisor: { supervisorId: "sup-1", hostId: "host-1" },
        nextSend: SendKind.PROMPT,
        version: 1n,
        createdAt: at(-60),
        updatedAt: at(-5),
      },
      init,
    ),
  );
}

/** What a provider's overload is classified as. */
export const overload = {
  code: Code.PROVIDER_OVERLOADED,
  class: Class.TRANSIENT,
  confidence: Confidence.HIGH,
  scope: Scope.PROVIDER,
  ruleId: "claude.overloaded",
  catalogueVersion: "1",
  safeExcerpt: "API Error: 529 overloaded_error",
  phase: Phase.PRE_OUTPUT,
  occurredAt: at(-5),
};

/** A wakeup whose first run failed, to be retried in 32 s. */
export function retrying(init: Fields<typeof WakeupSchema> = {}): Wakeup {
  return wakeup(
    over<typeof WakeupSchema>(
      {
        status: WakeupStatus.SCHEDULED_RETRY,
        runCount: 1,
        retryCount: 1,
        lastRunId: "r-1",
        dueAt: at(32),
        attention: Attention.DEADLINE,
        lastClassification: overload,
        lastDecision: {
          action: Action.RETRY,
          boundary: Boundary.EFFECT_FREE,
          retryAt: at(32),
          ordinal: 2,
          maxAttempts: 5,
          receipt: { kind: ReceiptKind.ESTIMATED, source: "interactive@1" },
          send: SendKind.PROMPT,
          because: ["code=provider_overloaded", "boundary=effect_free", "delay=10s"],
          policy: "interactive@1",
        },
        version: 4n,
      },
      init,
    ),
  );
}

/** A wakeup that stopped at a usage limit whose reset is stated. */
export function stoppedAtQuota(init: Fields<typeof WakeupSchema> = {}): Wakeup {
  return wakeup(
    over<typeof WakeupSchema>(
      {
        wakeupId: "w-quota",
        sessionId: "s-quota",
        status: WakeupStatus.FAILED,
        runCount: 1,
        attention: Attention.PERSON,
        lastClassification: { ...overload, code: Code.QUOTA_LIMITED, class: Class.HARD },
        lastDecision: {
          action: Action.STOP,
          stopReason: StopReason.POLICY,
          remedy: Remedy.WAIT,
          statedResetAt: at(18_000),
          receipt: { kind: ReceiptKind.STATED, source: "resets 7pm (UTC)" },
          policy: "interactive@1",
        },
        endedAt: at(-5),
      },
      init,
    ),
  );
}

/** A wakeup whose only run is under way. */
export function running(init: Fields<typeof WakeupSchema> = {}): Wakeup {
  return wakeup(
    over<typeof WakeupSchema>(
      { status: WakeupStatus.RUNNING, runCount: 1, lastRunId: "r-live", version: 3n },
      init,
    ),
  );
}

/** The run of running(): delivered, its owner at work. */
export function liveRun(init: Fields<typeof RunSchema> = {}): Run {
  return create(
    RunSchema,
    over<typeof RunSchema>(
      {
        runId: "r-live",
        wakeupId: "w-1",
        sessionId: "s-1",
        generation: 1n,
        ordinal: 1,
        state: RunState.DELIVERED,
        send: SendKind.PROMPT,
        claimedAt: at(-40),
        version: 3n,
        profile,
      },
      init,
    ),
  );
}

/** A failed run with its evidence and decision. */
export function failedRun(init: Fields<typeof RunSchema> = {}): Run {
  return create(
    RunSchema,
    over<typeof RunSchema>(
      {
        runId: "r-1",
        wakeupId: "w-1",
        sessionId: "s-1",
        generation: 1n,
        ordinal: 1,
        state: RunState.SETTLED,
        outcome: RunOutcome.FAILED,
        send: SendKind.PROMPT,
        supervisor: { supervisorId: "sup-1", hostId: "host-1" },
        claimedAt: at(-40),
        sendingAt: at(-39),
        deliveredAt: at(-38),
        settledAt: at(-5),
        effects: {
          assistantOutput: Effect.NONE,
          toolActivity: Effect.NONE,
          partialResult: Effect.NONE,
          delivery: Delivery.ACKNOWLEDGED,
        },
        evidence: {
          agentKind: "claude",
          phase: Phase.PRE_OUTPUT,
          observedAt: at(-5),
          signals: [
            {
              channel: { case: "stderr", value: { text: "API Error: 529 key [redacted:api_key]" } },
            },
            { channel: { case: "processExit", value: { exitCode: 1 } } },
          ],
        },
        classification: overload,
        decision: retrying().lastDecision as Decision,
        profile,
      },
      init,
    ),
  );
}
