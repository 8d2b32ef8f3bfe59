import { type BatchOutcome, type BatchPlan, foundThings, requestAll } from "../../api/batch.ts";
import { requestByNumber } from "../../api/bugs/bug-numbers.ts";
import { ATTACHMENTS_OF_BUGS } from "../../api/bugs/bug-parts.ts";
import { collectPages } from "../../api/lists.ts";
import { GET_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { readAttachments } from "../../api/response/response-objects.ts";
import { usageError, withFacts } from "../../errors.ts";
import { ATTACHMENT_COLUMNS, attachmentCard, attachmentColumns } from "../../view/attachments.ts";
import { jsonListing } from "../../view/listing.ts";
import { errorCodes } from "../../wire/error-codes.ts";
import type { Attachment } from "../../wire/resources.ts";
import { COLUMNS } from "../columns.ts";
import type { SharedInput } from "../input.ts";
import {
  chosenColumns,
  isForCards,
  mapPages,
  showCards,
  showList,
  showPages,
  wholeFormat,
} from "../shared/output/print.ts";
import { printFound, readTargets, readTargetsOrText } from "../shared/targets.ts";
import type { Context } from "../verb.ts";
import type { AttachmentListInput } from "./flags.ts";

/** `bt attachment list`: the attachments of all given bugs in few requests; reports bugs not found. */
export async function listAttachments(input: AttachmentListInput, context: Context): Promise<void> {
  const { refs, lines } = await readTargetsOrText(input, context);
  const batches = requestByNumber(refs, ATTACHMENTS_OF_BUGS, context.session.send);
  await printFound(
    batches,
    (pages) =>
      showAttachments(
        mapPages(pages, (lists) => lists.flat()),
        { asCards: false },
        context,
      ),
    { identity: (list) => list[0]?.bug_id ?? list, lines },
  );
}

const EXCLUDED = { exclude_fields: "data" };

/** `bt attachment get`: attachments by id, as cards on a terminal. */
export async function getAttachments(input: SharedInput, context: Context): Promise<void> {
  const hint = (bugs: number[]) =>
    `bt attachment list ${bugs.join(" ")} lists the attachments of bug ${bugs.join(", ")}`;
  async function* found() {
    yield await readNamedAttachments(input.args, hint, context);
  }
  await printFound(found(), (pages) => showAttachments(pages, { asCards: true }, context), { thing: "attachments" });
}

/** Attachments by id, without their data; if there is none, the error has a hint at bugs of these numbers that have some. */
export async function readNamedAttachments(
  args: string[],
  hintAt: (bugs: number[]) => string,
  context: Context,
): Promise<BatchOutcome<Attachment>[]> {
  const ids = attachmentIds(args);
  const outcomes = await readAttachmentsById(ids, context);
  const [first, ...others] = outcomes;
  if (!first || !outcomes.every((outcome) => "error" in outcome && outcome.error.kind === "missing")) return outcomes;
  const ofBugs = await readAttachmentsOfBugs(ids, context).catch((): never[] => []);
  const bugs = [...new Set(foundThings(ofBugs).map(({ bug_id }) => bug_id))];
  if (bugs.length === 0 || !("error" in first)) return outcomes;
  return [{ ref: first.ref, error: withFacts(first.error, { hint: hintAt(bugs) }) }, ...others];
}

/** Attachments of bugs, and the bugs that cannot be read. */
export async function readAttachmentsOfBugs(bugs: string[], context: Context): Promise<BatchOutcome<Attachment>[]> {
  const { refs } = await readTargets(bugs, context);
  const outcomes: BatchOutcome<Attachment>[] = [];
  const found = new Map<number, Attachment>();
  for await (const batch of requestByNumber(refs, ATTACHMENTS_OF_BUGS, context.session.send)) {
    for (const outcome of batch) {
      if ("error" in outcome) outcomes.push({ ...outcome, ref: `bug ${outcome.ref}` });
      else for (const attachment of outcome.thing) found.set(attachment.id, attachment);
    }
  }
  for (const thing of found.values()) outcomes.push({ ref: String(thing.id), thing });
  return outcomes;
}

/** Attachments by id, without their data, each or its error. */
export async function readAttachmentsById(
  ids: readonly string[],
  { session }: Context,
): Promise<BatchOutcome<Attachment>[]> {
  return requestAll(ids, BY_ID, session.send);
}

const BY_ID: BatchPlan<Attachment> = {
  name: "attachment",
  codes: errorCodes("bug_access_denied", "auth_failure"), // the latter for a private attachment
  request: (ids) => requestFor(GET_ATTACHMENTS, { attachment_ids: ids, ...EXCLUDED }),
  read: (response) => readAttachments(response).map((thing) => ({ thing, names: [String(thing.id)] })),
};

/**
 * Distinct ids of attachments on the command line.
 * @throws BtError of kind usage for anything else
 */
export function attachmentIds(args: readonly string[]): string[] {
  const words = args.flatMap((arg) => arg.split(",")).map((word) => word.trim());
  const bad = words.find((word) => !/^[1-9][0-9]{0,9}$/.test(word));
  if (bad === undefined) return [...new Set(words)];
  throw usageError(`${JSON.stringify(bad)} is not an attachment id`, "bt attachment list BUG shows the ids");
}

async function showAttachments(
  pages: AsyncIterable<readonly Attachment[]>,
  { asCards }: { asCards: boolean },
  context: Context,
): Promise<void> {
  if (isForCards(context)) {
    const attachments = await collectPages(pages);
    const cards = () => attachments.map((one) => attachmentCard(one, context.output.view));
    if (asCards) return showCards(context, cards());
    await showList(context, { columns: attachmentColumns(attachments), pages: [attachments] });
    if (attachments.length === 0) await context.io.err("no attachments\n");
    return;
  }
  const format = wholeFormat(context);
  if (format) {
    await showPages(context, pages, jsonListing<Attachment>(format, context.output.view, COLUMNS.attachments));
  } else await showList<Attachment>(context, { columns: chosenColumns(ATTACHMENT_COLUMNS, context), pages });
}
