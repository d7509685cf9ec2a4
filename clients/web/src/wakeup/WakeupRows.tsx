import type { UserAction } from "@gen/recovery_pb";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { RowActions, RowProblem } from "../action/RowActions";
import { useAct } from "../action/useAct";
import { code as codes } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { status } from "../i18n/states";
import { Ago } from "../time/Countdown";
import { toMs } from "../time/format";
import { agentDetail, agentName } from "./agentName";
import { Chain } from "./Chain";
import { chainOfWakeup } from "./chain";
import type { HeldRow } from "./held";
import { NextStep } from "./NextStep";
import css from "./rows.module.css";
import { StatusPill } from "./StatusPill";

/** Rows, and what may be done about their wakeups. */
export interface RowsProps {
  rows: readonly HeldRow[];
  actions: ReadonlyMap<string, readonly UserAction[]>;
}

/** The list at a desk: one row for each wakeup, with what may be done in passing. */
export function WakeupTable({ rows, actions }: RowsProps) {
  const c = t.list.columns;
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {[c.status, c.agent, c.chain, c.code, c.next].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          <th scope="col" className={css.actions}>
            <span className="rc-hidden">{t.list.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow
            key={row.wakeup.wakeupId}
            row={row}
            actions={actions.get(row.wakeup.wakeupId) ?? none}
          />
        ))}
      </tbody>
    </table>
  );
}

const none: readonly UserAction[] = [];

function TableRow(props: { row: HeldRow; actions: readonly UserAction[] }) {
  const { wakeup, left } = props.row;
  const act = useAct();
  return (
    <>
      <Cells row={{ wakeup, left }}>
        <RowActions wakeup={wakeup} actions={props.actions} act={act} />
      </Cells>
      {(act.refused || act.failed) && (
        <tr>
          <td colSpan={6}>
            <RowProblem wakeup={wakeup} act={act} />
          </td>
        </tr>
      )}
    </>
  );
}

function Cells({ row: { wakeup: w, left }, children }: { row: HeldRow; children: ReactNode }) {
  return (
    <tr className={css.row} data-left={left || undefined}>
      <td>
        <StatusPill status={w.status} />
        <Started wakeup={w} />
        {left && <span className={css.left}>{t.list.left}</span>}
      </td>
      <td>
        <RowLink row={{ wakeup: w, left }} />
      </td>
      <td>
        <Chain links={chainOfWakeup(w)} />
      </td>
      <td>
        <Cause row={w} />
      </td>
      <td>
        <NextStep wakeup={w} />
      </td>
      <td className={css.actions}>{children}</td>
    </tr>
  );
}

function Started({ wakeup: { createdAt } }: { wakeup: HeldRow["wakeup"] }) {
  if (!createdAt) return null;
  return (
    <span className={css.started}>
      {t.list.started} <Ago at={toMs(createdAt) ?? 0} />
    </span>
  );
}

/** The list on a phone: one card for each wakeup, the same facts; what may be done is behind it. */
export function WakeupCards({ rows }: RowsProps) {
  return (
    <ul className={css.cards}>
      {rows.map(({ wakeup: w, left }) => (
        <li key={w.wakeupId} className={`${css.card} ${css.row}`} data-left={left || undefined}>
          <div className={css.cardTop}>
            <StatusPill status={w.status} />
            {left && <span className={css.left}>{t.list.left}</span>}
            <Started wakeup={w} />
          </div>
          <RowLink row={{ wakeup: w, left }} />
          {w.lastClassification && <Cause row={w} />}
          <Chain links={chainOfWakeup(w)} most={3} />
          <NextStep wakeup={w} />
        </li>
      ))}
    </ul>
  );
}

function RowLink({ row: { wakeup: w } }: { row: HeldRow }) {
  const name = agentName(w.profile);
  const detail = agentDetail(w.profile);
  return (
    <span className={css.agent}>
      <Link
        to="/wakeups/$wakeupId"
        params={{ wakeupId: w.wakeupId }}
        className={css.link}
        data-row
        aria-label={t.list.open([name, detail].filter(Boolean).join(" · "), status.text(w.status))}
      >
        {name}
      </Link>
      {detail && <span className={css.fine}>{detail}</span>}
    </span>
  );
}

function Cause({ row: w }: { row: HeldRow["wakeup"] }) {
  const code = w.lastClassification?.code;
  if (!code) return <span className={css.fine}>–</span>;
  return (
    <span className={css.agent}>
      {codes.text(code)}
      <code className={css.fine}>{codes.slug(code)}</code>
    </span>
  );
}
