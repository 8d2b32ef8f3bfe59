import type { Json } from "./exchange.ts";

/** The fields of a bug that are returned by default, in the order in which `bt` shows and writes them. */
export const BUG_FIELDS = {
  id: "int",
  alias: "texts",
  summary: "text",
  status: "text",
  resolution: "text",
  is_open: "bool",
  is_confirmed: "bool",
  product: "text",
  component: "text",
  classification: "text",
  version: "text",
  target_milestone: "text",
  priority: "text",
  severity: "text",
  platform: "text",
  op_sys: "text",
  assigned_to: "text",
  assigned_to_detail: "user",
  creator: "text",
  creator_detail: "user",
  qa_contact: "text",
  qa_contact_detail: "user",
  cc: "texts",
  cc_detail: "users",
  creation_time: "datetime",
  last_change_time: "datetime",
  deadline: "date",
  dupe_of: "int",
  depends_on: "ints",
  blocks: "ints",
  keywords: "texts",
  groups: "texts",
  flags: "flags",
  see_also: "texts",
  url: "text",
  whiteboard: "text",
  is_cc_accessible: "bool",
  is_creator_accessible: "bool",
  estimated_time: "double",
  actual_time: "double",
  remaining_time: "double",
  update_token: "text",
} as const;

/** The fields that come only when they (or `_extra`) are asked for; `tags` are personal to the requester. */
export const EXTRA_BUG_FIELDS = { tags: "texts" } as const;

/** The selectors that `include_fields` takes beside field names. */
export const FIELD_SELECTORS = ["_default", "_custom", "_extra", "_all"] as const;

/** A bug as the tracker returns it; custom fields stand beside the others under their `cf_` names. */
export type Bug = RecordOf<typeof BUG_FIELDS> &
  RecordOf<typeof EXTRA_BUG_FIELDS> & { readonly [custom: `cf_${string}`]: Json | undefined };

/** The kinds of value that a field of the interface can hold, by the name used in the field lists of this folder. */
export type ValueTypes = {
  int: number;
  double: number;
  text: string;
  bool: boolean;
  datetime: string; // ISO 8601 UTC, whole seconds, "Z"
  date: string; // YYYY-MM-DD
  texts: readonly string[];
  ints: readonly number[];
  user: User;
  users: readonly User[];
  flags: readonly Flag[];
};

/** A list of fields: the name of each and the kind of value it holds. Lists are also the source of the types. */
export type FieldList = Readonly<Record<string, keyof ValueTypes>>;

/** The record that a field list describes; every field may be left out (`include_fields`) or be null (unset). */
export type RecordOf<List extends FieldList> = {
  readonly [Name in keyof List]?: ValueTypes[List[Name]] | null;
};

/** The user object that stands beside a login name (`assigned_to_detail`, `cc_detail`). */
export type User = {
  readonly id: number;
  readonly real_name: string;
  readonly name: string;
  readonly email: string;
};

/** A flag that is set on a bug. `requestee` is absent when nobody in particular is asked. */
export type Flag = {
  readonly id: number;
  readonly name: string;
  readonly type_id: number;
  readonly creation_date: string;
  readonly modification_date: string;
  readonly status: string;
  readonly setter: string;
  readonly requestee?: string;
};
