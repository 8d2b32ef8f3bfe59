import { requestFor } from "../../api/operations/operation.ts";
import { GET_FIELDS } from "../../api/operations/tracker.ts";
import { readFields } from "../../api/response/response-objects.ts";
import { FIELD_COLUMNS } from "../../view/fields.ts";
import { columnsFor, showListOrNone } from "../shared/output/print.ts";
import type { Context } from "../verb.ts";

/** `bt field list`: all bug fields, or the custom ones. */
export async function listFields({ custom }: { readonly custom: boolean }, context: Context): Promise<void> {
  const response = await context.session.send(requestFor(GET_FIELDS));
  const fields = readFields(response).filter((field) => field.is_custom || !custom);
  const listed = { columns: columnsFor(fields, FIELD_COLUMNS, context), pages: [fields] };
  await showListOrNone(context, listed, "this tracker has no custom fields");
}
