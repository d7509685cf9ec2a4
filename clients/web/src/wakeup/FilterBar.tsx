import { Code } from "@gen/common_pb";
import { Button } from "@mantine/core";
import { useEffect, useRef } from "react";
import { Select } from "../component/Select";
import { showSideways } from "../component/sideways";
import { code as codes } from "../i18n/causes";
import { messages as t } from "../i18n/messages";
import { status as statuses } from "../i18n/states";
import { isFiltered, type ListFilter, noFilter, toggleStatus } from "./filter";
import css from "./filter.module.css";

/** Which wakeups the list shows. */
export function FilterBar(props: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { filter, onChange } = props;
  const statusList = useRef<HTMLFieldSetElement>(null);
  // On a phone the statuses scroll: what is already chosen must be in sight.
  useEffect(() => {
    const chosen = statusList.current?.querySelector("input:checked")?.parentElement;
    if (statusList.current && chosen) showSideways(statusList.current, chosen);
  }, []);
  return (
    <search className={css.bar} aria-label={t.list.search}>
      <fieldset ref={statusList} className={css.statuses}>
        <legend className="rc-hidden">{t.list.filterStatus}</legend>
        {statuses.values.map((s) => (
          <label key={s} className={css.chip} data-status={statuses.slug(s)}>
            <input
              type="checkbox"
              data-filter
              checked={filter.statuses.includes(s)}
              onChange={() => onChange(toggleStatus(filter, s))}
            />
            {statuses.text(s)}
          </label>
        ))}
      </fieldset>
      <div className={css.rest}>
        <CauseSelect filter={filter} onChange={onChange} />
        {isFiltered(filter) && (
          <Button variant="subtle" onClick={() => onChange(noFilter)}>
            {t.list.clear}
          </Button>
        )}
      </div>
    </search>
  );
}

function CauseSelect(props: { filter: ListFilter; onChange: (filter: ListFilter) => void }) {
  const { filter, onChange } = props;
  const parse = (slug: string) => codes.parse(slug) ?? Code.UNSPECIFIED;
  return (
    <Select
      aria-label={t.list.filterCode}
      className={css.cause}
      value={codes.slug(filter.code)}
      data={[
        { value: "", label: t.list.anyCode },
        ...codes.values.map((c) => ({ value: codes.slug(c), label: codes.text(c) })),
      ]}
      onChange={(e) => onChange({ ...filter, code: parse(e.currentTarget.value), pageToken: "" })}
    />
  );
}
