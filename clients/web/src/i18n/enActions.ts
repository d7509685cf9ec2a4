import { UserAction } from "@gen/recovery_pb";

/** A question before an action: what is asked, what happens, and the two answers. */
export interface Question {
  title: string;
  /** What the action does, one sentence each. */
  effects: readonly string[];
  yes: string;
  no: string;
}

/** English for what a person may press. */
export const act = {
  title: "What you can do",
  none: "Nothing to do here.",
  pending: {
    [UserAction.RETRY_NOW]: "Retrying…",
    [UserAction.CANCEL_WAIT]: "Cancelling…",
    [UserAction.STOP_RUN]: "Asking it to stop…",
    [UserAction.RESUME_SESSION]: "Resuming…",
    [UserAction.START_FRESH]: "Starting fresh…",
  } as Record<number, string>,
  failed: {
    [UserAction.RETRY_NOW]: "It was not retried",
    [UserAction.CANCEL_WAIT]: "The wait was not cancelled",
    [UserAction.STOP_RUN]: "The run was not stopped",
    [UserAction.RESUME_SESSION]: "The session was not resumed",
    [UserAction.START_FRESH]: "It was not started fresh",
  } as Record<number, string>,
  /** Said once, where no status of this wakeup changes that would be said anyway. */
  done: {
    [UserAction.RESUME_SESSION]: "The session goes on. This is its new wakeup.",
    [UserAction.START_FRESH]: "It starts fresh. This is its new wakeup.",
  } as Record<number, string>,
  questions: {
    [UserAction.CANCEL_WAIT]: {
      title: "Cancel this wait?",
      effects: ["The wakeup ends as cancelled. Nothing runs again by itself; the session stays."],
      yes: "Yes, cancel the wait",
      no: "Keep waiting",
    },
    [UserAction.STOP_RUN]: {
      title: "Stop this run?",
      effects: [
        "Its host is told at once: the agent gets a moment to end by itself, then it is ended.",
        "What it has done so far stays as it is, and so does the session.",
      ],
      yes: "Yes, stop the run",
      no: "Let it run",
    },
    [UserAction.START_FRESH]: {
      title: "Start fresh?",
      effects: [
        "The agent gets a new session in the same place, without the old conversation.",
        "It is told to look at what is already done first, then gets the prompt.",
      ],
      yes: "Yes, start fresh",
      no: "Leave it",
    },
  } as Record<number, Question>,
  endsWait: "The wait that goes on now ends.",
  shortCancel: "Cancel",
  shortAsk: "Cancel the wait?",
  shortYes: "Yes",
  shortNo: "No",
  about: (what: string, agent: string) => `${what}: ${agent}`,
  resumes: "Resume goes on in the agent's own session and never sends the prompt again.",
  noResume:
    "It cannot be resumed: no session of the agent is known whose resume is proven. A fresh start looks at what is there first.",
  onItsHost: (host: string) =>
    `Its prompt is kept where it was given${host && ` (host ${host})`}, so it goes on from there:`,
  onItsHostFresh: "With --fresh it begins a new session of the agent.",
  conflictTitle: "It changed before you pressed. Nothing was done.",
  reread: "This is what changed:",
  unchanged: "What you see now is the present state.",
  reasons: {
    STALE_GENERATION: "A newer prompt has begun in this session.",
    SESSION_BUSY: "A run of this session is under way.",
    RUN_ALREADY_SETTLED: "The run had already ended.",
    NOT_RESUMABLE: "The agent's own session cannot go on. Start fresh instead.",
  } as Record<string, string>,
  newer: "A newer prompt goes on with this session.",
  toNewer: "Open its wakeup",
  viewer: (role: string) => `Your role (${role}) may look, but not act.`,
  stopping: "Stopping…",
  asked: "asked",
  stoppingNote: "Its host has been told. It ends when the host reports how the agent ended.",
  saysStopping: (agent: string) => `${agent}: stopping`,
  waitsFor: "One run tries this provider and model for all",
  waitsForLink: (agent: string, run: string) => `${agent}, ${run}`,
  waitsForNote: "It spends no retry of its own meanwhile, and goes on when that run has ended.",
};
