import type { DescEnum } from "@bufbuild/protobuf";

/** The words for every value of an enum that this page knows. */
export interface EnumTable<E extends number> {
  /** The words for a person; the raw name if a newer server sent the value. */
  text(value: E): string;
  /** The value's stable name in lower case, as "provider_overloaded"; "" if unspecified. */
  slug(value: E): string;
  /** The value of a slug; undefined if there is none. */
  parse(slug: string): E | undefined;
  /** Every value but the unspecified one, in the order of the contract. */
  values: readonly E[];
}

/** Joins an enum's descriptor to its words. */
export function enumTable<E extends number>(
  desc: DescEnum,
  words: Record<E, string>,
): EnumTable<E> {
  const prefix = desc.sharedPrefix ?? "";
  const slugOf = (value: number): string => {
    const found = desc.value[value];
    if (!found) return rawName(desc, value);
    return value === 0 ? "" : found.name.toLowerCase().slice(prefix.length);
  };
  const values = desc.values.map((v) => v.number).filter((n) => n !== 0) as E[];
  const bySlug = new Map(values.map((v) => [slugOf(v), v]));
  return {
    text: (value) => (words as Record<number, string>)[value] ?? rawName(desc, value),
    slug: slugOf,
    parse: (slug) => bySlug.get(slug),
    values,
  };
}

// A value that this page does not know has a number, and no name here.
function rawName(desc: DescEnum, value: number): string {
  return `${desc.name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase()}_${value}`;
}
