import { closeSync, createReadStream, ftruncateSync, openSync, writeSync } from "node:fs";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { foundThings } from "../../api/batch.ts";
import { GET_ATTACHMENTS } from "../../api/operations/attachments.ts";
import { requestFor } from "../../api/operations/operation.ts";
import { BtError, fileError, usage } from "../../errors.ts";
import { sizeText } from "../../view/attachments.ts";
import { plain } from "../../view/text.ts";
import type { DataReceiver, Json } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Attachment } from "../../wire/resources.ts";
import { reportOutcomes } from "../shared/targets.ts";
import { checkTarget, type WholeFile, writeWhole } from "../shared/text/whole-file.ts";
import type { Context } from "../verb.ts";
import { attachmentIds, attachmentsById } from "./get.ts";
import type { DownloadInput } from "./input.ts";

/**
 * `bt attachment download`: writes each file when all of it has been received, so that an incomplete one is neither left
 * behind nor printed.
 */
export async function downloadAttachments(input: DownloadInput, context: Context): Promise<void> {
  const ids = attachmentIds(input.args);
  if (input.output === "") throw usage("--output is empty", "use --output FILE, or - for stdout");
  const output = input.output ?? (context.io.terminal.stdout ? "." : "-");
  const outcomes = await attachmentsById(ids, context);
  const attachments = foundThings(outcomes);
  if (output === "-") {
    reportOutcomes(outcomes, WORDING);
    return printAll(attachments, context);
  }
  const files = await filesFor(attachments, output);
  const isForced = input.force;
  for (const file of files.values()) await checkTarget({ file, isForced });
  for (const [attachment, file] of files) await save(attachment, { file, isForced }, context);
  reportOutcomes(outcomes, WORDING);
}

function deleted(id: number): BtError {
  return new BtError("missing", `the content of attachment ${id} was deleted`, { changed: "nothing" });
}

const WORDING = { thing: "attachments", done: "downloaded" } as const;

/** The file of each attachment: the given one for a single attachment, else one in the given folder. */
async function filesFor(attachments: Attachment[], output: string): Promise<ReadonlyMap<Attachment, string>> {
  const isFolder = await stat(output).then(
    (found) => found.isDirectory(),
    () => /[/\\]$/.test(output),
  );
  if (!isFolder) {
    if (attachments.length <= 1) return new Map(attachments.map((one) => [one, output]));
    throw usage(
      `--output ${output} is one file, for ${attachments.length} attachments`,
      "use an existing folder, or -",
    );
  }
  const files = new Map(attachments.map((one) => [one, join(output, savedName(one.file_name, one.id))]));
  for (const [one, file] of files) {
    const other = attachments.find((another) => another !== one && isSameFile(files.get(another) ?? "", file));
    if (other) {
      throw usage(
        `attachments ${one.id} and ${other.id} are both named ${basename(file)}`,
        `download them one by one: bt attachment download ${one.id} -o FILE`,
      );
    }
  }
  return files;
}

/** True for names that are one file where letter case does not count. */
function isSameFile(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

async function save(attachment: Attachment, target: WholeFile, context: Context): Promise<void> {
  const { file } = target;
  await writeWhole(target, context, (part) => receiveAttachment(attachment, part, context));
  const text = context.io.terminal.stdout ? `wrote ${plain(file)} (${sizeText(attachment.size ?? 0)})` : file;
  await context.io.out(`${text}\n`);
}

async function printAll(attachments: Attachment[], context: Context): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "bt-"));
  try {
    const file = ({ id }: Attachment) => join(folder, String(id));
    for (const attachment of attachments) await receiveAttachment(attachment, file(attachment), context);
    for (const attachment of attachments) {
      for await (const bytes of createReadStream(file(attachment))) await context.io.outBytes(bytes as Buffer);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Writes the data of an attachment to a new file.
 * @throws BtError if it is incomplete, or cannot be written
 */
async function receiveAttachment({ id, size }: Attachment, file: string, context: Context): Promise<void> {
  const sink = fileSink(file, size ?? 0);
  try {
    const request = requestFor(GET_ATTACHMENTS, { attachment_id: id, include_fields: "id,data" });
    const data = attachmentData(await context.session.send({ ...request, receiver: sink.receiver }), id);
    if (data !== "") sink.receiver.begin()(Buffer.from(data, "base64"));
  } finally {
    sink.close();
  }
  if (sink.error() !== undefined) throw fileError("write", file, sink.error());
  if (size === undefined || sink.bytes() === size) return;
  throw new BtError("reply", `attachment ${id} is incomplete: received ${sink.bytes()} of ${size} bytes`, {
    hint: "try again; --verbose shows the requests",
  });
}

/** The data in a response, or "" if a receiver has taken it. */
function attachmentData(response: Json, id: number): string {
  const attachments = isObject(response) ? response["attachments"] : undefined;
  const attachment = isObject(attachments) ? attachments[String(id)] : undefined;
  const data = isObject(attachment) ? attachment["data"] : undefined;
  if (typeof data === "string") return data;
  if (data === null) throw deleted(id);
  throw new BtError("missing", `attachment ${id} was not found, or is not visible to you`, { changed: "nothing" });
}

/** A new file that receives data; a failed write is kept, since the network would report it as its own. */
function fileSink(file: string, size: number) {
  const descriptor = openNew(file);
  let bytes = 0;
  let error: unknown;
  const take = (chunk: Uint8Array) => {
    if (error !== undefined) return;
    try {
      for (let at = 0; at < chunk.length; ) {
        const written = writeSync(descriptor, chunk, at, chunk.length - at, bytes);
        at += written;
        bytes += written;
      }
    } catch (cause) {
      error = cause;
    }
  };
  const begin = () => {
    if (bytes > 0) ftruncateSync(descriptor);
    bytes = 0;
    return take;
  };
  const receiver: DataReceiver = { size, begin };
  return { receiver, close: () => closeSync(descriptor), bytes: () => bytes, error: () => error };
}

function openNew(file: string): number {
  try {
    return openSync(file, "wx");
  } catch (error) {
    throw fileError("write", file, error);
  }
}

/**
 * The name under which an attachment is saved: the last part of the one that its creator chose, without what a file
 * system, a shell or a terminal could take for something else.
 * @see https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file (reserved names)
 */
export function savedName(fileName: string | null | undefined, id: number): string {
  const last = (fileName ?? "").split(/[/\\]/).at(-1) ?? "";
  const clean = last
    .replace(/\p{C}/gu, "")
    .replace(/[<>:"|?*]/g, "_")
    .replace(/[\s.]+$/, "")
    .replace(/^\s+/, "")
    .replace(/^[.~-]/, "_");
  if (clean === "") return `attachment-${id}`;
  return shortened(RESERVED.test(clean) ? `_${clean}` : clean);
}

const RESERVED = /^(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i;

const MAX_BYTES = 200; // file systems allow 255, of which a temporary name needs some

/** The name with its middle left out, so that its extension stays. */
function shortened(name: string): string {
  const extension = /\.[\w-]{1,16}$/.exec(name)?.[0] ?? "";
  let stem = [...name.slice(0, name.length - extension.length)];
  while (Buffer.byteLength(stem.join("")) + extension.length > MAX_BYTES) stem = stem.slice(0, -1);
  return stem.join("") + extension;
}
