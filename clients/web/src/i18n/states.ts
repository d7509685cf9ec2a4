import {
  Attention,
  AttentionSchema,
  RunOutcome,
  RunOutcomeSchema,
  RunState,
  RunStateSchema,
  SessionState,
  SessionStateSchema,
  WakeupStatus,
  WakeupStatusSchema,
} from "@gen/recovery_pb";
import { Role, RoleSchema } from "@gen/workspace_service_pb";
import { enumTable } from "./enumTable";

/** The statuses of a wakeup. */
export const status = enumTable(WakeupStatusSchema, {
  [WakeupStatus.UNSPECIFIED]: "No status",
  [WakeupStatus.QUEUED]: "Queued",
  [WakeupStatus.RUNNING]: "Running",
  [WakeupStatus.SCHEDULED_RETRY]: "Retry scheduled",
  [WakeupStatus.PARKED]: "Parked",
  [WakeupStatus.COMPLETED]: "Completed",
  [WakeupStatus.FAILED]: "Failed",
  [WakeupStatus.TIMED_OUT]: "Timed out",
  [WakeupStatus.CANCELLED]: "Cancelled",
} satisfies Record<WakeupStatus, string>);

/** What a wakeup needs. */
export const attention = enumTable(AttentionSchema, {
  [Attention.UNSPECIFIED]: "needs nothing",
  [Attention.DEADLINE]: "ends by itself",
  [Attention.PERSON]: "needs a person",
} satisfies Record<Attention, string>);

/** The states of a run. */
export const runState = enumTable(RunStateSchema, {
  [RunState.UNSPECIFIED]: "no state",
  [RunState.CLAIMED]: "claimed, nothing sent",
  [RunState.SENDING]: "sending",
  [RunState.DELIVERED]: "under way",
  [RunState.SETTLED]: "ended",
  [RunState.LOST]: "lost: its owner vanished",
} satisfies Record<RunState, string>);

/** How a run ended. */
export const outcome = enumTable(RunOutcomeSchema, {
  [RunOutcome.UNSPECIFIED]: "not ended",
  [RunOutcome.SUCCEEDED]: "succeeded",
  [RunOutcome.FAILED]: "failed",
  [RunOutcome.NOT_SENT]: "nothing was sent",
  [RunOutcome.AMBIGUOUS]: "not known whether it was sent",
  [RunOutcome.CANCELLED]: "cancelled",
} satisfies Record<RunOutcome, string>);

/** The states of a session. */
export const sessionState = enumTable(SessionStateSchema, {
  [SessionState.UNSPECIFIED]: "no state",
  [SessionState.IDLE]: "idle",
  [SessionState.STARTING]: "starting",
  [SessionState.RUNNING]: "running",
  [SessionState.WAITING_FOR_INPUT]: "waiting for input",
  [SessionState.FAILED]: "failed",
  [SessionState.STOPPED]: "stopped",
} satisfies Record<SessionState, string>);

/** What a credential may do. */
export const role = enumTable(RoleSchema, {
  [Role.UNSPECIFIED]: "no role",
  [Role.VIEWER]: "viewer",
  [Role.MEMBER]: "member",
  [Role.ADMIN]: "admin",
  [Role.WORKER]: "worker",
} satisfies Record<Role, string>);
