import type { Json } from "./exchange.ts";
import type { RecordOf } from "./shape.ts";

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
