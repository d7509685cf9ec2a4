import { ActionIcon, Menu, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { Icon } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import { LiveControl } from "../live/LiveControl";
import { Mark } from "./Mark";
import css from "./shell.module.css";

/** The bar at the top. Bare, it shows nothing that needs a login. */
export function Header({ onHelp, bare }: { onHelp: () => void; bare: boolean }) {
  return (
    <header className={css.header}>
      <div className={css.bar}>
        <Link to="/" className={css.brand}>
          <Mark />
          <span className={css.brandName}>{t.product}</span>
        </Link>
        {!bare && (
          <nav className={css.nav} aria-label={t.shell.nav}>
            <Link to="/wakeups" className={css.navLink} activeProps={{ "aria-current": "page" }}>
              {t.shell.wakeups}
            </Link>
          </nav>
        )}
        <span className={css.space} />
        {!bare && <LiveControl />}
        <PageMenu onHelp={onHelp} />
      </div>
    </header>
  );
}

function PageMenu({ onHelp }: { onHelp: () => void }) {
  const { colorScheme, setColorScheme } = useMantineColorScheme({
    // Else a style element is written for a moment, which a strict content policy refuses.
    keepTransitions: true,
  });
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon aria-label={t.shell.menu}>
          <Icon name="menu" size={20} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t.shell.theme}</Menu.Label>
        {(["auto", "light", "dark"] as const).map((scheme) => (
          <Menu.Item
            key={scheme}
            leftSection={<Icon name={scheme === colorScheme ? "completed" : "forward"} />}
            aria-current={scheme === colorScheme}
            onClick={() => setColorScheme(scheme)}
          >
            {t.shell.themes[scheme]}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="unknown" />} onClick={onHelp}>
          {t.shell.shortcuts}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
