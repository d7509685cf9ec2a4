import { Icon, type IconName } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import { type ChainLink, type LinkState, shorten } from "./chain";
import css from "./chain.module.css";

const icons = {
  failed: "failed",
  running: "running",
  waiting: "scheduled_retry",
  succeeded: "completed",
  cancelled: "cancelled",
  unknown: "unknown",
  notSent: "cancelled",
} satisfies Record<LinkState, IconName>;

/** Every run of a wakeup in order, and the one to come: run 1 ✗ → run 2 ●. */
export function Chain({ links: all, most = 4 }: { links: readonly ChainLink[]; most?: number }) {
  const { earlier, links } = shorten(all, most);
  if (links.length === 0) return <span className={css.none}>{t.chain.none}</span>;
  return (
    <ol className={css.chain}>
      {earlier > 0 && (
        <li className={css.link} data-state="failed" title={t.chain.earlier(earlier)}>
          <Icon name="failed" size={12} />
          <span aria-hidden="true">×{earlier}</span>
          <span className="rc-hidden">{t.chain.earlier(earlier)}</span>
        </li>
      )}
      {links.map((link) => (
        <li
          key={link.ordinal}
          className={css.link}
          data-state={link.state}
          title={`${t.chain.run(link.ordinal)}: ${t.chain.states[link.state]}`}
        >
          {t.chain.run(link.ordinal)}
          <Icon name={icons[link.state]} size={12} />
          <span className="rc-hidden">{t.chain.states[link.state]}</span>
        </li>
      ))}
    </ol>
  );
}
