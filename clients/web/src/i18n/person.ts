import {
  DeliveryMode,
  DeliveryModeSchema,
  OnExhausted,
  OnExhaustedSchema,
  ParkReason,
  ParkReasonSchema,
  UserAction,
  UserActionSchema,
} from "@gen/recovery_pb";
import { enumTable } from "./enumTable";

/** What a person may do about a session, as its buttons say it. */
export const userAction = enumTable(UserActionSchema, {
  [UserAction.UNSPECIFIED]: "Nothing",
  [UserAction.RETRY_NOW]: "Retry now",
  [UserAction.CANCEL_WAIT]: "Cancel wait",
  [UserAction.STOP_RUN]: "Stop",
  [UserAction.RESUME_SESSION]: "Resume session",
  [UserAction.START_FRESH]: "Start fresh",
} satisfies Record<UserAction, string>);

/** Why nothing may run now. */
export const parkReason = enumTable(ParkReasonSchema, {
  [ParkReason.UNSPECIFIED]: "It is not parked.",
  [ParkReason.WAITING_FOR_PROVIDER_CAPACITY]: "No provider has capacity.",
  [ParkReason.BLOCKED_PROVIDER_ACTION_REQUIRED]: "The provider refuses until a person mends it.",
  [ParkReason.RECOVERY_OFF]: "Recovery is switched off in this workspace.",
  [ParkReason.OUTSIDE_RUN_WINDOW]: "Runs may not begin at this hour.",
  [ParkReason.BUDGET_EXHAUSTED]: "A limit that a person set on unattended work is reached.",
} satisfies Record<ParkReason, string>);

/** Who delivers prompts. */
export const deliveryMode = enumTable(DeliveryModeSchema, {
  [DeliveryMode.UNSPECIFIED]: "not said",
  [DeliveryMode.CALLER]: "whoever began it",
  [DeliveryMode.WORKER]: "any worker",
} satisfies Record<DeliveryMode, string>);

/** What follows when a candidate has neither wait nor retry left. */
export const onExhausted = enumTable(OnExhaustedSchema, {
  [OnExhausted.UNSPECIFIED]: "not said",
  [OnExhausted.SKIP]: "try the next candidate",
  [OnExhausted.STOP]: "stop for a person",
} satisfies Record<OnExhausted, string>);
