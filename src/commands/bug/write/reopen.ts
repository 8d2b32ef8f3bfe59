import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { legalValue, statusNames } from "../../../api/catalog/legal-values.ts";
import { confirmedStatuses, UNCONFIRMED } from "../../../api/write/checks.ts";
import { BtError, usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Edit } from "../../shared/change/plan.ts";
import type { Context } from "../../verb.ts";
import type { CommentedUpdateInput, ReopenInput } from "./flags.ts";

/** `bt bug reopen`: sets the status of reopened bugs if there is one, else of confirmed ones. */
export async function reopenBugs(input: ReopenInput, context: Context): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const to = await withCatalog(context.session, (catalog) => openStatus(input.status, catalog));
  const from = statusNames(await context.session.catalog(), "closed");
  const edits = editsOf(named, (bug) => statusEdit(bug, { to, from, word: "closed" }, comment));
  await changeBugs(edits, input, context);
}

/** `bt bug confirm`: sets the first confirmed status on unconfirmed bugs. */
export async function confirmBugs(input: CommentedUpdateInput, context: Context): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const { waiting: to } = confirmedStatuses(await context.session.catalog());
  const move = { to, from: [UNCONFIRMED], word: "unconfirmed" };
  const edits = editsOf(named, (bug) => statusEdit(bug, move, comment));
  await changeBugs(edits, input, context);
}

/** @throws BtError of kind usage for an unknown status, and for a status of closed bugs */
function openStatus(text: string | undefined, catalog: Catalog): string {
  const open = statusNames(catalog, "open");
  if (text === undefined) return open.find((name) => name === "REOPENED") ?? confirmedStatuses(catalog).waiting;
  const status = legalValue(requireField(catalog, "status"), text, { isSearch: false });
  if (!statusNames(catalog, "closed").includes(status)) return status;
  throw usageError(`${status} is a status of closed bugs`, `valid values: ${open.join(", ")}`);
}

/** A status for bugs of other statuses, and the word for these. */
type StatusMove = { readonly to: string; readonly from: readonly string[]; readonly word: string };

/** The edit that sets a status; refused for other statuses, even where the workflow allows it. */
function statusEdit(bug: Bug, { to, from, word }: StatusMove, comment: JsonObject): Edit {
  const { id, status } = bug;
  if (status === to) return { bug, why: `already ${to}`, dropped: Object.keys(comment) };
  if (from.includes(status ?? "")) return { bug, body: { status: to, ...comment } };
  const reason = `${status}, not ${word}`;
  const facts = { reason, hint: `bt bug update --status ${to} sets it anyway` };
  return { ref: String(id), bug, error: new BtError("usage", `bug ${id} is ${reason}`, facts) };
}
