import { Code } from "@gen/common_pb";
import { Attention, type WakeupStatus } from "@gen/recovery_pb";
import { code as codes } from "../i18n/causes";
import { attention as attentions, status as statusTable } from "../i18n/states";

/** How many wakeups a page of the list holds. */
export const PAGE_SIZE = 50;

/** The filters of the list, as its address spells them. */
export interface ListSearch {
  /** Statuses, joined by commas, as "failed,parked". */
  status?: string;
  /** The cause of the last failure, as "rate_limited". */
  code?: string;
  /** What the session needs, as "person" or "deadline"; instead of the other two. */
  needs?: string;
  /** An opaque page token. */
  page?: string;
}

/** The filters of the list, understood. */
export interface ListFilter {
  statuses: WakeupStatus[];
  code: Code;
  /** Only what needs this; the list is then one of sessions, and has no other filter. */
  needs: Attention;
  pageToken: string;
}

/** Everything, from the newest on. */
export const noFilter: ListFilter = {
  statuses: [],
  code: Code.UNSPECIFIED,
  needs: Attention.UNSPECIFIED,
  pageToken: "",
};

/** Reads an address; what it does not know it leaves out. */
export function filterOf(search: ListSearch): ListFilter {
  const needs = attentions.parse(search.needs ?? "") ?? Attention.UNSPECIFIED;
  if (needs) return { ...noFilter, needs, pageToken: search.page ?? "" };
  const wanted = (search.status ?? "").split(",").map((s) => statusTable.parse(s));
  return {
    statuses: statusTable.values.filter((s) => wanted.includes(s)),
    code: codes.parse(search.code ?? "") ?? Code.UNSPECIFIED,
    needs,
    pageToken: search.page ?? "",
  };
}

/** Spells filters as an address; an unset filter is absent from it. */
export function searchOf(filter: Partial<ListFilter>): ListSearch {
  const status = (filter.statuses ?? []).map((s) => statusTable.slug(s)).join(",");
  const code = filter.code ? codes.slug(filter.code) : "";
  const needs = filter.needs ? attentions.slug(filter.needs) : "";
  return {
    ...(needs ? { needs } : {}),
    ...(status ? { status } : {}),
    ...(code ? { code } : {}),
    ...(filter.pageToken ? { page: filter.pageToken } : {}),
  };
}

/** Keeps the parts of an unknown query string that the list understands. */
export function readSearch(raw: Record<string, unknown>): ListSearch {
  const text = (key: string) => (typeof raw[key] === "string" ? (raw[key] as string) : undefined);
  const [status, code, page] = [text("status"), text("code"), text("page")];
  const needs = text("needs");
  return {
    ...(needs ? { needs } : {}),
    ...(status ? { status } : {}),
    ...(code ? { code } : {}),
    ...(page ? { page } : {}),
  };
}

/** Whether anything is filtered out. */
export function isFiltered(filter: ListFilter): boolean {
  return filter.statuses.length > 0 || filter.code !== Code.UNSPECIFIED;
}

/** Adds or takes out one status; the pages of another filter mean nothing. */
export function toggleStatus(filter: ListFilter, s: WakeupStatus): ListFilter {
  const on = filter.statuses.includes(s);
  const statuses = statusTable.values.filter((x) => (x === s ? !on : filter.statuses.includes(x)));
  return { ...filter, statuses, pageToken: "" };
}
