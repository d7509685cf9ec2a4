import { Modal, Switch } from "@mantine/core";
import { messages as t } from "../i18n/messages";
import { usePreference } from "./preference";
import { useServices } from "./services";
import css from "./shell.module.css";

/** The keys, and the switch that turns them off. */
export function HelpDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const [on, set] = usePreference(useServices().keysWanted);
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t.keys.title}
      closeButtonProps={{ "aria-label": t.keys.close, size: "var(--rc-target)" }}
    >
      <dl className={css.keys}>
        {t.keys.rows.flatMap(([key, what]) => [
          <dt key={key}>
            <kbd>{key}</kbd>
          </dt>,
          <dd key={`${key} does`}>{what}</dd>,
        ])}
      </dl>
      <Switch
        size="md"
        label={t.keys.enabled}
        checked={on}
        onChange={(e) => set(e.currentTarget.checked)}
      />
    </Modal>
  );
}
