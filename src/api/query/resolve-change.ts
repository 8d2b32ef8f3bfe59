import { BtError } from "../../errors.ts";
import { type CatalogField, fieldOf } from "../catalog.ts";
import { legalValue } from "../legal-value.ts";
import type { Context } from "./context.ts";
import { readDate, wireMoment } from "./dates.ts";
import { login } from "./people.ts";
import type { Query, Term } from "./tree.ts";

/** A change condition with its field, values, person and dates in the form of the wire. */
export const resolveChange = (term: Term & { readonly kind: "change" }, context: Context): Query => {
  const field = fieldOf(context.catalog, term.field);
  if (UNTRACKED.has(field.chart)) throw new BtError("usage", `changes of ${field.api} are not recorded`);
  const start = (date: string): string => wireMoment(readDate(date, context).start);
  return {
    kind: "change",
    field,
    ...(term.from === undefined ? {} : { from: changedValue(field, term.from) }),
    ...(term.to === undefined ? {} : { to: changedValue(field, term.to) }),
    ...(term.by === undefined ? {} : { by: login(term.by) }),
    ...(term.since === undefined ? {} : { since: start(term.since) }),
    ...(term.before === undefined ? {} : { before: start(term.before) }),
  };
};

const UNTRACKED: ReadonlySet<string> = new Set([
  "bug_id",
  "creation_ts",
  "delta_ts",
  "commenter",
  "content",
  "owner_idle_time",
  "last_visit_ts",
  "days_elapsed",
  "longdescs.count",
  "comment_tag",
  "tag",
  "percentage_complete",
  "assigned_to_realname",
  "reporter_realname",
  "qa_contact_realname",
  "reporter",
]);

/** Histories spell values as the tracker does, so one that is not legal can't be found (old names excepted). */
const changedValue = (field: CatalogField, text: string): string => {
  if (text.trim() === "") {
    throw new BtError("usage", `an empty value in "${field.api} changed" would match every change`);
  }
  return field.family === "choice" || field.family === "ranked" ? legalValue(field, text) : text.trim();
};
