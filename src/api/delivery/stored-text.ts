import { BtError } from "../../errors.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject, objectsIn } from "../../wire/json.ts";
import type { FactStore } from "../fact-store.ts";
import { requestOptional } from "../facts/optional.ts";
import { grouped } from "../lists.ts";
import { GET_ATTACHMENTS } from "../operations/attachments.ts";
import { GET_BUG } from "../operations/bugs.ts";
import { requestFor, type SendRequest } from "../operations/operation.ts";
import { VERSION } from "../operations/tracker.ts";
import { readAttachments, readBugs } from "../response/response-objects.ts";
import { requestBody, writeTargets } from "../write/update-request.ts";
import { createdIds } from "./verify-attachment.ts";

/** How requests are sent, what is remembered of the tracker, and the sentences that were printed. */
type Tools = Notes & { send: SendRequest; memory: FactStore };

type Notes = { note: (sentence: string) => void; noted: Set<string> };

/**
 * True if a tracker stores characters beyond the Basic Multilingual Plane, such as emoji, as question marks, as it was seen to do
 * or by its version: MySQL's old `utf8` has three bytes for a character. Comments are stored as they are.
 * @see Bugzilla/Comment.pm of Bugzilla 5.0
 */
export async function isTextLossy(
  memory: FactStore,
  readVersion: () => Promise<Json | undefined>, // response to `VERSION`
): Promise<boolean> {
  const { isLossy } = (await memory.read(FACT)) ?? {};
  if (typeof isLossy === "boolean") return isLossy;
  const response = await readVersion();
  return isObject(response) && /^5\.0\b/.test(String(response["version"]));
}

const FACT = "text-storage";

/** Warns of a write with characters that the tracker will store as question marks. */
export async function warnOfLostCharacters(request: Request, tools: Tools): Promise<void> {
  const texts = textsBeyondBmp(request);
  const [[, text = ""] = []] = texts;
  const readVersion = () => requestOptional(requestFor(VERSION), tools.send);
  if (texts.size === 0 || !(await isTextLossy(tools.memory, readVersion))) return;
  const names = [...texts.keys()].map((name) => name.replaceAll("_", " ")).join(", ");
  noteUnlessNoted(
    `warning: this tracker stores characters such as ${BEYOND_BMP.exec(text)?.[0]} in ${names} as ????`,
    tools,
  );
}

/** Notes a sentence that a look after a lost response, or an earlier write, may have noted. */
export function noteUnlessNoted(sentence: string, { note, noted }: Notes): void {
  if (!noted.has(sentence)) note(sentence);
  noted.add(sentence);
}

/**
 * The response of an applied write, with stored texts in place of reported ones, as far as these have such characters; notes each
 * text that was stored differently.
 */
export async function withStoredText(response: Json, request: Request, tools: Tools): Promise<Json> {
  const texts = textsBeyondBmp(request);
  const kind = KIND_BY_OPERATION[request.operation ?? ""];
  if (texts.size === 0 || kind === undefined) return response;
  const { send, memory, note } = tools;
  const ids = kind.ids(response, request);
  let things: JsonObject[];
  try {
    things = await kind.read(ids, [...texts.keys()], send);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    note(`could not verify what was stored: ${error.message}`);
    return response;
  }
  let isLossy = false;
  for (const [name, text] of texts) {
    const other = things.filter((thing) => thing[name] !== undefined && !textsIn(thing[name]).includes(text));
    isLossy ||= other.length > 0;
    for (const [stored, some] of grouped(other, (thing) => textsIn(thing[name]).join(", "))) {
      const label = some.length === 1 ? `${kind.noun} ${some[0]?.["id"]}` : `${some.length} ${kind.noun}s`;
      noteUnlessNoted(`${name.replaceAll("_", " ")} of ${label} is stored as ${JSON.stringify(stored)}`, tools);
    }
  }
  await memory.write(FACT, { isLossy });
  return isLossy ? withChanges(response, things, texts) : response;
}

/** The response of an update with the stored values among its changes. */
function withChanges(response: Json, things: JsonObject[], texts: ReadonlyMap<string, string>): Json {
  if (!isObject(response)) return response;
  const stored = new Map(things.map((thing) => [String(thing["id"]), thing]));
  const list = ["bugs", "attachments"].find((name) => Array.isArray(response[name]));
  if (list === undefined) return response;
  const items = objectsIn(response[list]).map((item) => {
    const changes = { ...(item["changes"] as JsonObject) };
    for (const [name, text] of texts) {
      const change = changes[name];
      const now = stored.get(String(item["id"]))?.[name];
      if (isObject(change) && textsIn(change["added"]).includes(text) && typeof now === "string")
        changes[name] = { ...change, added: now };
    }
    return { ...item, changes };
  });
  return { ...response, [list]: items };
}

/** Texts of a write that are no comments, with a character beyond the BMP, by the field that they are for. */
function textsBeyondBmp(request: Request): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const [name, value] of Object.entries(requestBody(request))) {
    const isComment = name === "comment" || name === "data" || (name === "description" && request.method === "POST");
    const text = isComment ? undefined : textsIn(value).find((item) => BEYOND_BMP.test(item));
    if (text !== undefined) texts.set(name, text);
  }
  return texts;
}

const BEYOND_BMP = /[\u{10000}-\u{10FFFF}]/u;

/** The texts in a value, with single spaces: itself, the items of a list, or the items that an edit adds or sets. */
function textsIn(value: Json | undefined): string[] {
  if (typeof value === "string") return [value.replace(/\s+/g, " ").trim()];
  if (isObject(value)) return [value["add"] ?? [], value["set"] ?? []].flatMap(textsIn);
  if (!Array.isArray(value)) return [];
  return value.flatMap(textsIn);
}

/** Objects of a write, and how their texts are read back. */
type Kind = {
  noun: string;
  ids: (response: Json, request: Request) => string[];
  read: (ids: string[], names: string[], send: SendRequest) => Promise<JsonObject[]>;
};

const BUG = {
  noun: "bug",
  read: async (ids: string[], names: string[], send: SendRequest) =>
    readBugs(await send(requestFor(GET_BUG, { ids, include_fields: ["id", ...names].join(",") }))) as JsonObject[],
};

const ATTACHMENT = {
  noun: "attachment",
  read: async (ids: string[], _: string[], send: SendRequest) => {
    const request = requestFor(GET_ATTACHMENTS, { attachment_ids: ids, exclude_fields: "data" });
    return readAttachments(await send(request)) as unknown as JsonObject[];
  },
};

const KIND_BY_OPERATION: Readonly<Record<string, Kind>> = {
  "Create Bug": { ...BUG, ids: (response) => [String(isObject(response) ? response["id"] : "")] },
  "Update Bug": { ...BUG, ids: (_, request) => writeTargets(request) },
  "Create Attachment": { ...ATTACHMENT, ids: (response) => createdIds(response).map(String) },
  "Update Attachment": { ...ATTACHMENT, ids: (_, request) => writeTargets(request) },
};
