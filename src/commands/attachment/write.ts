import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { mkdtemp, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { foundThings } from "../../api/batch.ts";
import { readBug, readBugNumber } from "../../api/bugs.ts";
import { createdIds } from "../../api/delivery/find-stored.ts";
import { grouped } from "../../api/lists.ts";
import { checkPeople } from "../../api/names.ts";
import { CREATE_ATTACHMENT, UPDATE_ATTACHMENT } from "../../api/operations/attachments.ts";
import { type Operation, requestFor } from "../../api/operations/operation.ts";
import { checkNotEmpty } from "../../api/write/checks.ts";
import { checkFlags, flagsToSend } from "../../api/write/flags.ts";
import { checkedText } from "../../api/write/values.ts";
import type { FlagValues } from "../../command-flag.ts";
import { fileError, usageError } from "../../errors.ts";
import type { FilePart, Json, JsonObject, Request } from "../../wire/exchange.ts";
import type { Attachment, Flag } from "../../wire/resources.ts";
import { showCreated, showPlanned } from "../shared/change/output.ts";
import { updateThings } from "../shared/change/things.ts";
import type { ProseInput } from "../shared/flags.ts";
import { readOneTarget, reportOutcomes } from "../shared/targets.ts";
import { readLongText, readSourceBytes } from "../shared/text.ts";
import { bodyOfFlags } from "../shared/write-body.ts";
import type { Context } from "../verb.ts";
import { parseAttachmentIds, readAttachmentsById } from "./read.ts";

type AttachmentAddInput = AttachmentInput & { readonly obsoletes: readonly string[] };

/**
 * `bt attachment add`: attaches files to one bug, each by a request, and then marks the attachments that they replace
 * as obsolete.
 */
export async function addAttachments(input: AttachmentAddInput, context: Context): Promise<void> {
  const [ref = "", ...sources] = input.args;
  checkSources(sources, input);
  const target = await readOneTarget(ref, context);
  const bug = await readBugNumber(target, context.session.send);
  const files: AttachedFile[] = [];
  // before the flags are read: stdin is kept, also if a flag is refused
  for (const source of sources) files.push(await readAttachedFile(source, context));
  const { comment, ...body } = await readAttachmentBody(CREATE_ATTACHMENT, input, context);
  await checkAttachmentFlags(body["flags"], bug, [], context);
  const creates = files.map((file, at) => {
    const parameters = { ids: [bug], ...withFileDetails(body, file), comment: at === 0 ? comment : undefined };
    return { ...requestFor(CREATE_ATTACHMENT, parameters), file: file.part };
  });
  const updates = await obsoleteRequests(bug, input.obsoletes, context);
  if (input.dryRun) return showPlanned([...creates, ...updates], [], context, "attachments");
  await sendAttachments(creates, updates, target, context);
}

/** Sends the attachments one after the other, and prints their ids; in JSON, those of several as a list. */
async function sendAttachments(
  creates: Request[],
  updates: Request[],
  target: string,
  context: Context,
): Promise<void> {
  const { deliver } = await context.session.journal();
  const send = (request: Request) => deliver("attachment add", { request });
  async function* sendEach() {
    for (const create of creates) yield { id: String(createdIds(await send(create))[0]), result: "created" };
  }
  const textOf = (id: string) => ({ sentence: `added attachment ${id} to bug ${target}` });
  await showCreated(sendEach(), textOf, context, creates.length > 1);
  for (const update of updates) await send(update);
}

/** @throws BtError of kind usage if stdin is named twice, or one name is given for several files */
function checkSources(sources: string[], { bodyFile, parameters }: AttachmentAddInput): void {
  const stdinUses = [...sources, bodyFile, parameters.comment].filter((source) => source === "-").length;
  if (sources.includes("-") && stdinUses > 1) throw usageError("stdin cannot be both the file and the comment");
  const single = (["file-name", "summary"] as const).find((name) => parameters[name] !== undefined);
  if (sources.length > 1 && single !== undefined)
    throw usageError(`--${single} takes one file, but got ${sources.length} files`, "attach them one by one");
}

/** A body with the name, summary and type of a file where it has none. */
function withFileDetails(body: JsonObject, file: AttachedFile): JsonObject {
  const name = body["file_name"] ?? checkedText("file_name", file.name);
  const isPatch = body["is_patch"] === true || (file.isPatch && body["content_type"] === undefined);
  return {
    ...body,
    file_name: name,
    summary: body["summary"] ?? name,
    content_type: isPatch ? "text/plain" : (body["content_type"] ?? file.type),
    ...(isPatch ? { is_patch: true } : {}),
  };
}

/** The request that marks attachments of the bug as obsolete; [] without such attachments. */
async function obsoleteRequests(bug: number, obsoletes: readonly string[], context: Context): Promise<Request[]> {
  if (obsoletes.length === 0) return [];
  const outcomes = await readAttachmentsById(parseAttachmentIds(obsoletes), context);
  reportOutcomes(outcomes, "changed", "attachments");
  const attachments = foundThings(outcomes);
  const other = attachments.find(({ bug_id }) => bug_id !== bug);
  if (other) throw usageError(`attachment ${other.id} is on bug ${other.bug_id}, not on bug ${bug}`);
  return [requestFor(UPDATE_ATTACHMENT, { ids: attachments.map(({ id }) => id), is_obsolete: true })];
}

/** A file to attach, with its proposed name and type. */
type AttachedFile = {
  readonly part: FilePart;
  readonly name: string;
  readonly type: string;
  readonly isPatch: boolean;
};

/**
 * A file, or stdin for `-`. Stdin and pipes are kept in a file, so that they can be sent again.
 * @throws BtError if it cannot be read, or is empty
 */
async function readAttachedFile(source: string, context: Context): Promise<AttachedFile> {
  const bytes = await readSourceBytes(source, context);
  if (bytes.length === 0)
    throw usageError(`${source === "-" ? "stdin" : source} is empty`, "trackers refuse empty attachments");
  const isFile = source !== "-" && (await stat(source)).isFile();
  const path = isFile ? resolve(source) : await saveInput(bytes);
  if (!isFile) context.savedTexts.push({ file: path });
  const fileName = source === "-" ? "" : basename(resolve(source));
  const { type, isPatch } = await detectContentType(fileName, bytes);
  const part = { path, size: bytes.length, sha256: createHash("sha256").update(bytes).digest("hex") };
  return { part, name: fileName || defaultName(type, isPatch), type, isPatch };
}

/** MIME type of a file: of UTF-8 text/plain, else by the ending of its name. `isPatch`: a diff. */
async function detectContentType(fileName: string, bytes: Buffer): Promise<{ type: string; isPatch: boolean }> {
  if (isUtf8(bytes) && !bytes.includes(0))
    return { type: "text/plain", isPatch: DIFF.test(bytes.toString("utf8", 0, HEAD_BYTES)) };
  const { default: mime } = await import("mime");
  const type = mime.getType(fileName) ?? "";
  return { type: ACCEPTED_TYPE.test(type) ? type : "application/octet-stream", isPatch: false };
}

const HEAD_BYTES = 64 * 1024;
const DIFF = /^diff --git |^--- .+\r?\n\+\+\+ .+\r?\n@@ |^(?:---|\*\*\*) .+\r?\n(?:\+\+\+|---) .+\r?\n(?:\*{15}|@@ )/m;

/** @see Bugzilla/Attachment.pm of Bugzilla, `_check_content_type` */
const ACCEPTED_TYPE = /^(application|audio|image|message|model|multipart|text|video)\/[\w+.-]+(;\s*charset=[\w+-]+)?$/i;

function defaultName(type: string, isPatch: boolean): string {
  if (isPatch) return "patch.diff";
  return type === "text/plain" ? "stdin.txt" : "stdin.bin";
}

async function saveInput(bytes: Buffer): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), "bt-")), "attachment");
  await writeFile(path, bytes, { mode: 0o600 }).catch((error) => {
    throw fileError("write", path, error);
  });
  return path;
}

/** `bt attachment update`: the same update of all given attachments in one request. */
export async function updateAttachments(input: AttachmentInput, context: Context): Promise<void> {
  const ids = parseAttachmentIds(input.args);
  const body = await readAttachmentBody(UPDATE_ATTACHMENT, input, context);
  checkNotEmpty(body);
  const outcomes = await readAttachmentsById(ids, context);
  reportOutcomes(outcomes, "changed", "attachments");
  const things = foundThings(outcomes);
  const { flags, ...others } = body;
  for (const [bug, attachments] of grouped(things, ({ bug_id }) => bug_id)) {
    const setFlags = attachments.flatMap((attachment) => attachment.flags ?? []);
    await checkAttachmentFlags(flags, bug, setFlags, context);
  }
  const targeted = Array.isArray(flags) ? { ...others, flags: flagsToSend(things, flags, "attachment") } : others;
  const titles = ({ id, summary }: Attachment) => ({ name: `attachment ${id}`, title: summary });
  await updateThings(
    { operation: UPDATE_ATTACHMENT, noun: "attachment", things, body: targeted, titles, dryRun: input.dryRun },
    context,
  );
}

type AttachmentInput = ProseInput & {
  readonly parameters: FlagValues & { readonly comment?: string | undefined };
  readonly dryRun: boolean;
};

/** Reads the body of an operation from its flags and the comment; flag changes are unchecked. */
async function readAttachmentBody(operation: Operation, input: AttachmentInput, context: Context): Promise<JsonObject> {
  const values = input.parameters;
  const comment = await readLongText("comment", values.comment, input, context);
  const body = await bodyOfFlags(operation, { ...values, comment }, context);
  await checkPeople(body, await context.session.catalog(), context.session.send);
  return body;
}

/**
 * Checks flag changes against the flag types of a bug's attachments; `setFlags` are the flags that the attachments have.
 * @throws BtError of kind usage for an unknown flag
 */
async function checkAttachmentFlags(
  flags: Json | undefined,
  bug: number,
  setFlags: Flag[],
  { session }: Context,
): Promise<void> {
  if (flags === undefined) return;
  const { product, component } = await readBug(String(bug), ["product", "component"], session.send);
  await checkFlags(flags, { product, component, flags: setFlags, target: "attachment" }, session.send);
}
