import {
  Action,
  ActionSchema,
  Boundary,
  BoundarySchema,
  PolicyPreset,
  PolicyPresetSchema,
  ReceiptKind,
  ReceiptKindSchema,
  Remedy,
  RemedySchema,
  SendKind,
  SendKindSchema,
  StopReason,
  StopReasonSchema,
} from "@gen/recovery_pb";
import { enumTable } from "./enumTable";

/** What follows a failure. */
export const action = enumTable(ActionSchema, {
  [Action.UNSPECIFIED]: "Nothing decided",
  [Action.RETRY]: "Retry",
  [Action.WAIT_FOR_RESET]: "Wait for the stated reset",
  [Action.NEXT_CANDIDATE]: "Next candidate",
  [Action.PARK]: "Park",
  [Action.STOP]: "Stop for a person",
} satisfies Record<Action, string>);

/** Why a decision stopped. */
export const stopReason = enumTable(StopReasonSchema, {
  [StopReason.UNSPECIFIED]: "It did not stop.",
  [StopReason.STALE_GENERATION]: "The evidence belongs to an older prompt.",
  [StopReason.UNCLASSIFIED]: "The cause is not known.",
  [StopReason.LOW_CONFIDENCE]: "The cause is not known well enough to act on.",
  [StopReason.EFFECTS_OBSERVED]: "The run did something, or cannot be shown to have done nothing.",
  [StopReason.AMBIGUOUS_DELIVERY]:
    "The prompt may have reached the agent, so it is not sent again.",
  [StopReason.NON_PROVIDER]: "The provider is not the cause.",
  [StopReason.UNCORRELATED]: "The evidence does not belong to this prompt.",
  [StopReason.TERMINAL_MODE]: "This workspace never recovers by itself.",
  [StopReason.TRANSPORT_LOST_AFTER_START]: "The connection to the agent died after it had started.",
  [StopReason.TIMED_OUT]: "The run passed its longest duration.",
  [StopReason.POLICY]: "The policy does not act on this cause by itself.",
  [StopReason.BUDGET_EXHAUSTED]: "All retries are used up.",
  [StopReason.WAIT_TOO_LONG]: "The stated wait is longer than the policy may wait.",
  [StopReason.THROTTLE_NOT_SHORT]: "The throttle is not confirmed to be short.",
  [StopReason.WAIT_NEEDS_CONSENT]: "The allowance is used up, and nobody agreed to wait for it.",
  [StopReason.PERSON_REQUIRED]: "Waiting cannot help: a person must act.",
  [StopReason.RESET_NOT_STATED]: "The policy would wait, but nobody stated until when.",
  [StopReason.WAIT_USED]: "The one wait that the policy allows did not help.",
  [StopReason.POLICY_INVALID]: "The server does not know this policy.",
  [StopReason.NO_POLICY_FOR_CAUSE]: "The policy has no row for this cause.",
  [StopReason.RECOVERY_OFF]: "Recovery is switched off in this workspace.",
  [StopReason.OUTSIDE_RUN_WINDOW]: "Runs may not begin at that hour.",
} satisfies Record<StopReason, string>);

/** What makes it safe to go on. */
export const boundary = enumTable(BoundarySchema, {
  [Boundary.UNSPECIFIED]: "nothing makes it safe to go on",
  [Boundary.EFFECT_FREE]: "the run is proved to have done nothing",
  [Boundary.NATIVE_RESUME]: "the agent resumes its own session",
  [Boundary.CONTINUATION]: "a fresh session starts with a continuation package",
  [Boundary.DECLARED_REPEATABLE]: "a person declared the command repeatable",
} satisfies Record<Boundary, string>);

/** What a run sends. */
export const send = enumTable(SendKindSchema, {
  [SendKind.UNSPECIFIED]: "nothing yet",
  [SendKind.PROMPT]: "the prompt",
  [SendKind.CONTINUE]: "the continue instruction, never the prompt",
  [SendKind.FRESH]: "the prompt in a new session, which first looks at what is there",
} satisfies Record<SendKind, string>);

/** Who a deadline comes from. */
export const receipt = enumTable(ReceiptKindSchema, {
  [ReceiptKind.UNSPECIFIED]: "no deadline",
  [ReceiptKind.STATED]: "stated by the provider",
  [ReceiptKind.ESTIMATED]: "estimated by the policy",
  [ReceiptKind.PERSON]: "set by a person",
} satisfies Record<ReceiptKind, string>);

/**
 * What a person can do. The five share no words: someone who was just paged
 * must not take one for another.
 */
export const remedy = enumTable(RemedySchema, {
  [Remedy.UNSPECIFIED]: "Nothing to do",
  [Remedy.WAIT]: "Wait until it passes",
  [Remedy.PAY]: "Pay, or change the plan",
  [Remedy.LOG_IN]: "Log in again on its host",
  [Remedy.FIX_INPUT]: "Fix the input or configuration",
  [Remedy.ASK_MAINTAINER]: "Ask a maintainer",
} satisfies Record<Remedy, string>);

/** The policies. */
export const preset = enumTable(PolicyPresetSchema, {
  [PolicyPreset.UNSPECIFIED]: "interactive",
  [PolicyPreset.INTERACTIVE]: "interactive",
  [PolicyPreset.PATIENT]: "patient",
} satisfies Record<PolicyPreset, string>);
