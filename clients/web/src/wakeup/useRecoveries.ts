import { useQuery } from "@connectrpc/connect-query";
import { Attention, type SessionRecovery, type UserAction } from "@gen/recovery_pb";
import { RecoveryService } from "@gen/recovery_service_pb";
import { Role, WorkspaceService } from "@gen/workspace_service_pb";
import { useMemo } from "react";

/** How many recoveries are read of each kind; more are counted as "50+". */
export const RECOVERIES_READ = 50;

/** What needs one kind of attention. */
export interface Needs {
  recoveries: readonly SessionRecovery[];
  /** There are more than these. */
  more: boolean;
  /** Where to go on after these; empty at the end. */
  nextPageToken: string;
}

/** What needs a person, and what waits. A kind that is not known yet is absent. */
export interface Recoveries {
  person: Needs | undefined;
  deadline: Needs | undefined;
  /** What may be done, by wakeup; empty for somebody who may only look. */
  actions: ReadonlyMap<string, readonly UserAction[]>;
}

/** Reads the recoveries of one kind, from a page on. */
export function useNeeds(attention: Attention, pageToken = "") {
  return useQuery(RecoveryService.method.listRecoveries, {
    attention,
    pageToken,
    pageSize: RECOVERIES_READ,
  });
}

/** Reads what needs a person and what waits. */
export function useRecoveries(): Recoveries {
  const person = useNeeds(Attention.PERSON).data;
  const deadline = useNeeds(Attention.DEADLINE).data;
  const role = useQuery(WorkspaceService.method.getCaller).data?.role;
  const mayAct = role !== undefined && role !== Role.VIEWER;
  return useMemo(() => {
    const all = mayAct ? [...(person?.recoveries ?? []), ...(deadline?.recoveries ?? [])] : [];
    return {
      person: person && needsOf(person),
      deadline: deadline && needsOf(deadline),
      actions: new Map(all.map((r) => [r.wakeupId, r.actions])),
    };
  }, [person, deadline, mayAct]);
}

function needsOf(answer: { recoveries: SessionRecovery[]; nextPageToken: string }): Needs {
  const { recoveries, nextPageToken } = answer;
  return { recoveries, nextPageToken, more: nextPageToken !== "" };
}
