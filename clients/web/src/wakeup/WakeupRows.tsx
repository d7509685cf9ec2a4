import { Link } from "@tanstack/react-router";
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

/** The list at a desk: one row for each wakeup. */
export function WakeupTable({ rows }: { rows: readonly HeldRow[] }) {
  const c = t.list.columns;
  return (
    <table className={css.table}>
      <thead>
        <tr>
          {[c.status, c.agent, c.chain, c.code, c.next, c.started].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={row.wakeup.wakeupId} row={row} />
        ))}
      </tbody>
    </table>
  );
}

function TableRow({ row: { wakeup: w, left } }: { row: HeldRow }) {
  return (
    <tr className={css.row} data-left={left || undefined}>
      <td>
        <StatusPill status={w.status} />
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
      <td className={css.started}>{w.createdAt && <Ago at={toMs(w.createdAt) ?? 0} />}</td>
    </tr>
  );
}

/** The list on a phone: one card for each wakeup, the same facts. */
export function WakeupCards({ rows }: { rows: readonly HeldRow[] }) {
  return (
    <ul className={css.cards}>
      {rows.map(({ wakeup: w, left }) => (
        <li key={w.wakeupId} className={`${css.card} ${css.row}`} data-left={left || undefined}>
          <div className={css.cardTop}>
            <StatusPill status={w.status} />
            {left && <span className={css.left}>{t.list.left}</span>}
            <span className={css.started}>
              {w.createdAt && <Ago at={toMs(w.createdAt) ?? 0} />}
            </span>
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
