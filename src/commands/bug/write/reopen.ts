import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { legalValue, statusNames } from "../../../api/catalog/legal-values.ts";
import { confirmedStatus } from "../../../api/write/moves.ts";
import { usageError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import { changeBugs, editsOf, readBugsAndComment } from "../../shared/change/change.ts";
import type { Context } from "../../verb.ts";
import type { ReopenInput } from "./flags.ts";
import { statusEdit } from "./status-edit.ts";

/** `bt bug reopen`: sets the status of reopened bugs if there is one, else that of confirmed bugs that wait. */
export async function reopenBugs(input: ReopenInput, context: Context): Promise<void> {
  const { named, comment } = await readBugsAndComment(input, context);
  const to = await withCatalog(context.session, (catalog) => openStatus(input.status, catalog));
  const from = statusNames(await context.session.metadata.catalog(), "closed");
  const edits = editsOf(named, (bug) => statusEdit(bug, { to, from, word: "closed" }, comment));
  await changeBugs(edits, input, context);
}

/** @throws BtError of kind usage for an unknown status, and for a status of closed bugs */
function openStatus(text: string | undefined, catalog: Catalog): string {
  const open = statusNames(catalog, "open");
  if (text === undefined) return open.find((name) => name === "REOPENED") ?? confirmedStatus(catalog);
  const status = legalValue(requireField(catalog, "status"), text, { isSearch: false });
  if (!statusNames(catalog, "closed").includes(status)) return status;
  throw usageError(`${status} is a status of closed bugs`, `valid values: ${open.join(", ")}`);
}
