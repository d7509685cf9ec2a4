import type { Run, Wakeup } from "@gen/recovery_pb";
import { Button, Switch } from "@mantine/core";
import { useState } from "react";
import { CopyButton } from "../component/CopyButton";
import { Icon } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import css from "./raw.module.css";
import { rawText } from "./rawText";

const words = t.detail.raw;

/** Everything as the server sent it, to copy or keep. */
export function Raw({ wakeup, runs }: { wakeup: Wakeup; runs: readonly Run[] }) {
  const [sorted, setSorted] = useState(false);
  const [wrap, setWrap] = useState(true);
  const text = rawText(wakeup, runs, sorted);
  return (
    <section className={css.raw} aria-label={words.title}>
      <div className={css.bar}>
        <Toggle label={words.sort} on={sorted} set={setSorted} />
        <Toggle label={words.wrap} on={wrap} set={setWrap} />
        <CopyButton text={text} what={t.detail.copyKinds.json} />
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          onClick={() => download(text, words.file(wakeup.wakeupId))}
        >
          {words.download}
        </Button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre className={css.text} data-wrap={wrap || undefined} tabIndex={0}>
        {text}
      </pre>
    </section>
  );
}

function Toggle(props: { label: string; on: boolean; set: (on: boolean) => void }) {
  return (
    <Switch
      size="md"
      className={css.toggle}
      label={props.label}
      checked={props.on}
      onChange={(e) => props.set(e.currentTarget.checked)}
    />
  );
}

function download(text: string, name: string) {
  const url = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
