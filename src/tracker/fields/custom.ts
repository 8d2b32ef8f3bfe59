import type { Json } from "../../wire/exchange.ts";
import type { Store } from "../store/store.ts";

/** The type codes of the interface that custom fields have. */
export const FIELD_TYPE = {
  text: 1,
  select: 2,
  multiSelect: 3,
  longText: 4,
  dateTime: 5,
  bugId: 6,
  date: 9,
  integer: 10,
} as const;

/** A custom field as reading and writing bugs need to know it. */
export type CustomField = { readonly id: number; readonly name: string; readonly type: number };

/** The custom fields in use, by id. */
export function customFields(store: Store): readonly CustomField[] {
  return store.all<CustomField>(
    "SELECT id, name, type FROM fields WHERE is_custom = 1 AND is_obsolete = 0 ORDER BY id",
  );
}

/** A stored value as bugs show it; without one (null) the field's empty value. */
export function shownCustomValue(type: number, value: string | null): Json {
  const { empty, show } = SHOWN[type] ?? { empty: "", show: (text: string) => text };
  return value === null ? empty : show(value);
}

type Shown = { readonly empty: Json; readonly show: (value: string) => Json };

function asIs(value: string): Json {
  return value;
}

const SHOWN: Readonly<Record<number, Shown>> = {
  [FIELD_TYPE.select]: { empty: "---", show: asIs },
  [FIELD_TYPE.dateTime]: { empty: null, show: asIs },
  [FIELD_TYPE.bugId]: { empty: null, show: Number },
  [FIELD_TYPE.date]: { empty: null, show: (day) => `${day}T00:00:00Z` },
  [FIELD_TYPE.integer]: { empty: "0", show: asIs },
};
