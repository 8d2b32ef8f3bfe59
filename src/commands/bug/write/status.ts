import { readBug } from "../../../api/bugs.ts";
import { type Catalog, legalValue, requireField, statusNames } from "../../../api/catalog/catalog.ts";
import { confirmedStatuses, DUPLICATE, defaultClosedStatus, isOpen, UNCONFIRMED } from "../../../api/write/checks.ts";
import { BtError, usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { changeNamedBugs } from "../../shared/change/edits.ts";
import { readOneTarget } from "../../shared/targets.ts";
import { bodyFrom, readValueContext } from "../../shared/write-body.ts";
import type { Context } from "../../verb.ts";
import { type CloseInput, type CommentedUpdateInput, type ReopenInput, type TakeInput, WORK_TIME } from "../flags.ts";

/**
 * `bt bug close`: sets the first closed status of the workflow and a resolution. A closed bug keeps its status, and is unchanged
 * unless another resolution is given.
 */
export async function closeBugs(input: CloseInput, context: Context): Promise<void> {
  if (input.resolution?.toUpperCase() === DUPLICATE)
    throw usageError(`resolution ${DUPLICATE} requires the original bug`, "bt bug dup BUG ORIGINAL");
  const { parameters, resolution: word } = input;
  const { resolution, hours } = await withCatalog(context.session, async (known) => ({
    resolution: legalValue(requireField(known, "resolution"), word ?? "FIXED", {}),
    hours: bodyFrom(parameters, WORK_TIME, await readValueContext(parameters, context, known)),
  }));
  const catalog = await context.session.catalog();
  const closing = (bug: Bug) => {
    if (isOpen(bug, catalog)) return { status: defaultClosedStatus(catalog), resolution };
    return word !== undefined && bug.resolution !== resolution ? { resolution } : `already ${bug.status}`;
  };
  await changeNamedBugs(input, closing, context, hours);
}

/** `bt bug reopen`: sets the given status, else REOPENED if there is one, else confirmed. */
export async function reopenBugs(input: ReopenInput, context: Context): Promise<void> {
  const to = await withCatalog(context.session, (catalog) => openStatus(input.status, catalog));
  const from = statusNames(await context.session.catalog(), "closed");
  await changeNamedBugs(input, (bug) => statusMove(bug, to, from, "closed"), context);
}

/**
 * The status of a reopened bug: the one that `text` names, else a default.
 * @throws BtError of kind usage for an unknown status, and for a status of closed bugs
 */
function openStatus(text: string | undefined, catalog: Catalog): string {
  const open = statusNames(catalog, "open");
  if (text === undefined) return open.find((name) => name === "REOPENED") ?? confirmedStatuses(catalog).waiting;
  const status = legalValue(requireField(catalog, "status"), text, {});
  if (!statusNames(catalog, "closed").includes(status)) return status;
  throw usageError(`${status} is a status of closed bugs`, `valid values: ${open.join(", ")}`);
}

/**
 * The body that sets the status `to`; refused for bugs of statuses that are not in `from`, even
 * where the workflow allows it. `word` names `from` in the refusal.
 */
function statusMove({ id, status }: Bug, to: string, from: readonly string[], word: string) {
  if (status === to) return `already ${to}`;
  if (from.includes(status ?? "")) return { status: to };
  const reason = `${status}, not ${word}`;
  const facts = { reason, hint: `bt bug update --status ${to} sets it anyway` };
  return new BtError("usage", `bug ${id} is ${reason}`, facts);
}

/** `bt bug confirm`: sets the first confirmed status on unconfirmed bugs. */
export async function confirmBugs(input: CommentedUpdateInput, context: Context): Promise<void> {
  const { waiting } = confirmedStatuses(await context.session.catalog());
  await changeNamedBugs(input, (bug) => statusMove(bug, waiting, [UNCONFIRMED], "unconfirmed"), context);
}

/** `bt bug dup`: closes a bug as duplicate of another. */
export async function markDuplicate(input: CommentedUpdateInput, context: Context): Promise<void> {
  const [ref = "", original = ""] = input.args;
  const { id } = await readBug(await readOneTarget(original, context), [], context.session.send);
  const closing = ({ dupe_of }: Bug) => (dupe_of === id ? `already a duplicate of ${id}` : { dupe_of: id });
  await changeNamedBugs({ ...input, args: [ref] }, closing, context);
}

/** `bt bug take`: assigns bugs to the user, and sets them in progress if requested. */
export async function takeBugs(input: TakeInput, context: Context): Promise<void> {
  const { session } = context;
  const status: JsonObject = input.start ? { status: confirmedStatuses(await session.catalog()).started } : {};
  const body = { assigned_to: await loginOrFail(session), ...status };
  await changeNamedBugs(input, () => body, context);
}
