import { bugsByMessage } from "../../../api/bug-messages.ts";
import { type Catalog, requireField } from "../../../api/catalog/catalog.ts";
import { legalValue, statusNames } from "../../../api/catalog/legal-values.ts";
import { partition } from "../../../api/lists.ts";
import { UPDATE_BUG } from "../../../api/operations/write-bugs.ts";
import type { VerbScope } from "../../../api/write/checks.ts";
import {
  type CloseOptions,
  closingParts,
  confirmedStatus,
  DEFAULT_RESOLUTION,
  DUPLICATE,
  defaultClosedStatus,
  inProgressStatus,
  UNCONFIRMED,
} from "../../../api/write/moves.ts";
import type { UpdatePart } from "../../../api/write/update-part.ts";
import { unchangedText } from "../../../api/write/update-request.ts";
import { BtError, usageError } from "../../../errors.ts";
import { loginOrFail, withCatalog } from "../../../session/session.ts";
import { plain } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../../wire/exchange.ts";
import { applyChange } from "../../shared/changes/apply-change.ts";
import { bodyFrom, readCommentBody, readValueContext } from "../../shared/changes/write-body.ts";
import type { CommentedUpdateInput, UpdateOptions } from "../../shared/changes/write-flags.ts";
import { isForCards } from "../../shared/output/print.ts";
import { readBugsToChange, readOneTarget, readTargets, type Targets } from "../../shared/targets.ts";
import type { Context } from "../../verb.ts";
import type { CloseInput, ReopenInput, TakeInput } from "./flags.ts";

/**
 * `bt bug close`: sets the first closed status of the workflow and a resolution. Closed bugs are unchanged, unless a
 * resolution or a duplicate is given.
 */
export async function closeBugs(input: CloseInput, context: Context): Promise<void> {
  const { resolution: typed, parameters } = input;
  if (typed?.toUpperCase() === DUPLICATE && parameters["dupe-of"] === undefined)
    throw usageError(`resolution ${DUPLICATE} requires the original bug`, "bt bug dup BUG ORIGINAL");
  const comment = await readCommentBody(input, context);
  const targets = await readTargets(input.args, context);
  const named = await readBugsToChange(targets, context);
  const dupeOf = await readOriginal(parameters["dupe-of"], context);
  const parts = await withCatalog(context.session, async (catalog) => {
    const resolution = requireField(catalog, "resolution");
    const hours = bodyFrom(parameters, WORK_TIME, await readValueContext(parameters, context, catalog));
    const closing: CloseOptions = {
      status: defaultClosedStatus(catalog),
      resolution: typed === undefined ? undefined : legalValue(resolution, typed, { catalog }),
      dupeOf,
      comment: { body: { ...comment, ...hours }, addToUnchanged: input.commentAnyway },
    };
    if (typed === undefined && dupeOf === undefined) legalValue(resolution, DEFAULT_RESOLUTION);
    return closingParts(named.bugs, closing, catalog);
  });
  if (isOneBug(targets, input)) checkCommentAdded(parts);
  await applyChange({ ...named, parts }, input, context);
  const same = parts.filter(({ body, dropped }) => Object.keys(body).length === 0 && !dropped?.length);
  await noteUnchanged(
    same.flatMap(({ bugs }) => bugs),
    context,
  );
}

/** Names the bugs that had their status already, which no row of the changes shows. */
async function noteUnchanged(bugs: readonly Bug[], context: Context): Promise<void> {
  if (isForCards(context)) return;
  const lines = bugs.map(({ id, status }) => ({ bug: String(id), message: `already ${status}` }));
  for (const line of bugsByMessage(lines)) await context.io.err(`${plain(line)}\n`);
}

const WORK_TIME = UPDATE_BUG.parameters.filter(({ name }) => name === "work_time");

async function readOriginal(text: string | undefined, context: Context): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { bugs } = await readBugsToChange({ refs: [await readOneTarget(text, context)] }, context);
  return bugs[0]?.id ?? undefined;
}

/** True if a change is sent for one bug, which the command line names. */
export function isOneBug({ refs }: Targets, { args, dryRun }: UpdateOptions): boolean {
  return refs.length === 1 && !args.includes("-") && !dryRun;
}

/** @throws BtError of kind partial if the comment on the only bug would not be sent, since the bug is unchanged */
export function checkCommentAdded(parts: readonly UpdatePart[], orElse = ORDERED): void {
  const [part] = parts;
  const [bug] = part?.bugs ?? [];
  if (!part?.dropped?.length || !bug) return;
  throw new BtError("partial", `bug ${bug.id}: ${unchangedText(part)}`, {
    hint: `bt comment add ${bug.id}${orElse}`,
    changed: "nothing",
  });
}

const ORDERED = ", or --comment-anyway with this command";

/** `bt bug reopen`: sets the status of reopened bugs if there is one, else that of waiting confirmed bugs. */
export async function reopenBugs(input: ReopenInput, context: Context): Promise<void> {
  const status = await withCatalog(context.session, (catalog) => {
    if (input.status !== undefined) return openStatus(input.status, catalog);
    return statusNames(catalog, "open").find((name) => name === "REOPENED") ?? confirmedStatus(catalog);
  });
  const statuses = statusNames(await context.session.metadata.catalog(), "closed");
  await setFields(input.args, { status }, input, context, { statuses, word: "closed" });
}

/** @throws BtError of kind usage for an unknown status, and for one of closed bugs */
function openStatus(text: string, catalog: Catalog): string {
  const status = legalValue(requireField(catalog, "status"), text, { catalog });
  const open = statusNames(catalog, "open");
  if (!statusNames(catalog, "closed").includes(status)) return status;
  throw usageError(`${status} is a status of closed bugs`, `valid values: ${open.join(", ")}`);
}

/** `bt bug confirm`: sets the first confirmed status. */
export async function confirmBugs(input: CommentedUpdateInput, context: Context): Promise<void> {
  const status = confirmedStatus(await context.session.metadata.catalog());
  await setFields(input.args, { status }, input, context, { statuses: [UNCONFIRMED], word: "unconfirmed" });
}

/** `bt bug dup`: closes a bug as duplicate of another. */
export async function markDuplicate(input: CommentedUpdateInput, context: Context): Promise<void> {
  const [bug = "", original = ""] = input.args;
  const { bugs } = await readBugsToChange({ refs: [await readOneTarget(original, context)] }, context);
  for (const { id } of bugs) await setFields([bug], { dupe_of: id }, input, context);
}

/** `bt bug take`: assigns bugs to the user, and sets them in progress if requested. */
export async function takeBugs(input: TakeInput, context: Context): Promise<void> {
  const login = await loginOrFail(context.session);
  const status: JsonObject = input.start ? { status: inProgressStatus(await context.session.metadata.catalog()) } : {};
  await setFields(input.args, { assigned_to: login, ...status }, input, context);
}

async function setFields(
  words: string[],
  change: Readonly<Record<string, Json>>,
  input: CommentedUpdateInput,
  context: Context,
  meant?: VerbScope,
): Promise<void> {
  const comment = await readCommentBody(input, context);
  const targets = await readTargets(words, context);
  const named = await readBugsToChange(targets, context);
  const [same, others] = partition(named.bugs, ({ status }) => meant !== undefined && status === change["status"]);
  const parts = [
    { bugs: others, body: { ...change, ...comment } },
    { bugs: same, body: {}, dropped: Object.keys(comment) },
  ].filter(({ bugs }) => bugs.length > 0);
  if (isOneBug(targets, input)) checkCommentAdded(parts, "");
  await applyChange({ ...named, parts, ...(meant ? { meant } : {}) }, input, context);
  if (same.length > 0 && Object.keys(comment).length === 0) await noteUnchanged(same, context);
}
