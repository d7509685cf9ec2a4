import { useQuery } from "@connectrpc/connect-query";
import type { Wakeup } from "@gen/recovery_pb";
import { WorkspaceService } from "@gen/workspace_service_pb";
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { useServices } from "../app/services";
import { copyText } from "../component/clipboard";
import { Icon } from "../component/Icon";
import { messages as t } from "../i18n/messages";
import { copiesOf } from "./copies";

/** A menu that copies the wakeup as link, id, command or JSON. */
export function CopyAs({ wakeup }: { wakeup: Wakeup }) {
  const { base, announcer } = useServices();
  const caller = useQuery(WorkspaceService.method.getCaller);
  const [said, setSaid] = useState(t.copy.as);
  const kinds = Object.keys(t.detail.copyKinds) as (keyof typeof t.detail.copyKinds)[];
  const copy = async (kind: (typeof kinds)[number]) => {
    const { href } = window.location;
    const copies = copiesOf(wakeup, base, href, caller.data?.workspaceId || "default");
    const result = (await copyText(copies[kind])) ? t.copy.copied : t.copy.failed;
    setSaid(result);
    announcer.say(result);
  };
  return (
    <Menu position="bottom-start" onOpen={() => setSaid(t.copy.as)}>
      <Menu.Target>
        <Button variant="default" leftSection={<Icon name="copy" />}>
          {said}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {kinds.map((kind) => (
          <Menu.Item key={kind} onClick={() => copy(kind)}>
            {t.detail.copyKinds[kind]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
