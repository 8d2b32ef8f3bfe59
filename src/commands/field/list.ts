import { get as getRequest } from "../../api/operation.ts";
import { readFields } from "../../api/read.ts";
import type { Context } from "../context.ts";
import { columnsFor, showAny } from "../show.ts";
import type { Input } from "../verb.ts";

/** `bt field list`: every field of bugs, or the custom ones. */
export async function list(input: Input, context: Context): Promise<void> {
  const [answer, { FIELD_COLUMNS }] = await Promise.all([
    context.tracker.ask(getRequest("/rest/field/bug")),
    import("../../view/fields.ts"),
  ]);
  const fields = readFields(answer).filter((field) => field.is_custom || !input.flags["custom"]);
  const list = { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] };
  await showAny(context, list, "this tracker has no custom fields");
}
