import {
  Class,
  ClassSchema,
  Code,
  CodeSchema,
  Confidence,
  ConfidenceSchema,
  Delivery,
  DeliverySchema,
  Effect,
  EffectSchema,
  Phase,
  PhaseSchema,
  Scope,
  ScopeSchema,
  Throttle,
  ThrottleSchema,
} from "@gen/common_pb";
import { enumTable } from "./enumTable";

/** The causes of failures, as a person would name them. */
export const code = enumTable(CodeSchema, {
  [Code.UNSPECIFIED]: "No cause given",
  [Code.NETWORK_UNAVAILABLE]: "Network unavailable",
  [Code.PROVIDER_OVERLOADED]: "Provider overloaded",
  [Code.PROVIDER_UNAVAILABLE]: "Provider unavailable",
  [Code.MODEL_CAPACITY]: "Model at capacity",
  [Code.RATE_LIMITED]: "Rate limited",
  [Code.AGENT_TRANSPORT_LOST]: "Connection to the agent lost",
  [Code.QUOTA_LIMITED]: "Usage limit reached",
  [Code.SUBSCRIPTION_REQUIRED]: "Subscription or credit required",
  [Code.AUTH_REQUIRED]: "Login refused or expired",
  [Code.MISSING_CREDENTIALS]: "No credential configured",
  [Code.MODEL_UNAVAILABLE]: "Model not available",
  [Code.PROVIDER_NOT_CONFIGURED]: "Provider not set up",
  [Code.PERMISSION_DENIED_BY_USER]: "Refused by a person",
  [Code.TASK_ERROR]: "Request not accepted",
  [Code.REPO_ERROR]: "Repository error",
  [Code.AGENT_RUNTIME_ERROR]: "Agent program failed",
  [Code.UNKNOWN_PROVIDER_ERROR]: "Unknown provider error",
  [Code.UNCLASSIFIED]: "Cause not known",
} satisfies Record<Code, string>);

/** The classes of causes. */
export const failureClass = enumTable(ClassSchema, {
  [Class.UNSPECIFIED]: "no class",
  [Class.TRANSIENT]: "transient",
  [Class.HARD]: "hard",
  [Class.NON_PROVIDER]: "not the provider",
  [Class.UNCLASSIFIED]: "unclassified",
} satisfies Record<Class, string>);

/** How sure a classification is. */
export const confidence = enumTable(ConfidenceSchema, {
  [Confidence.UNSPECIFIED]: "no confidence given",
  [Confidence.HIGH]: "high confidence",
  [Confidence.MEDIUM]: "medium confidence, never acted on",
  [Confidence.LOW]: "low confidence, for reading only",
} satisfies Record<Confidence, string>);

/** How long a throttle lasts. */
export const throttle = enumTable(ThrottleSchema, {
  [Throttle.UNSPECIFIED]: "no throttle",
  [Throttle.SHORT]: "short throttle (60 s or less)",
  [Throttle.LONG]: "long throttle (over 60 s)",
  [Throttle.UNKNOWN]: "throttle of unknown length",
} satisfies Record<Throttle, string>);

/** The resource that a failure indicts. */
export const scope = enumTable(ScopeSchema, {
  [Scope.UNSPECIFIED]: "nothing in particular",
  [Scope.PROVIDER]: "the whole provider",
  [Scope.ACCOUNT]: "the account",
  [Scope.MODEL]: "the model",
  [Scope.PROFILE]: "the profile",
  [Scope.REQUEST]: "this one request",
} satisfies Record<Scope, string>);

/** How far a prompt had come. */
export const phase = enumTable(PhaseSchema, {
  [Phase.UNSPECIFIED]: "not known how far it had come",
  [Phase.LAUNCH]: "while starting",
  [Phase.PRE_OUTPUT]: "before any output",
  [Phase.POST_OUTPUT]: "after some output",
} satisfies Record<Phase, string>);

/** What is known of one kind of effect. */
export const effect = enumTable(EffectSchema, {
  [Effect.UNSPECIFIED]: "not known",
  [Effect.NONE]: "none, proved",
  [Effect.SEEN]: "seen",
  [Effect.UNKNOWN]: "not known",
} satisfies Record<Effect, string>);

/** Whether the prompt reached the agent. */
export const delivery = enumTable(DeliverySchema, {
  [Delivery.UNSPECIFIED]: "known",
  [Delivery.ACKNOWLEDGED]: "known",
  [Delivery.AMBIGUOUS]: "may have happened",
} satisfies Record<Delivery, string>);
