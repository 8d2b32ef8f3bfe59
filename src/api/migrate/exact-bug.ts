import { PERSON_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { ReceivedBug } from "../../wire/mirror.ts";
import { isObject } from "../response/response-objects.ts";
import type { SourceBug } from "./moved-bug.ts";
import { mappedBug, mappedName, type NameMap } from "./name-map.ts";
import { type Renumbering, renumbered } from "./references.ts";

/** Ids and names in a tracker that stores bugs exactly. */
export type ExactContext = Renumbering & {
  readonly map: NameMap;
  readonly data: ReadonlyMap<number, string>; // base64 of the attachments, by old id
};

/**
 * A bug as it is stored in a local tracker: authors, times and history are kept; numbers and mapped names are those of
 * that tracker. Links to bugs that are not moved are omitted.
 */
export function exactBug(source: SourceBug, to: ExactContext, comment: (old: number) => number): ReceivedBug {
  const { bug } = source;
  const id = to.bug(bug.id) ?? 0;
  return {
    bug: exactFields(bug, id, to),
    comments: source.comments.map(({ attachment_id, ...one }) => ({
      ...one,
      id: comment(one.id),
      bug_id: id,
      attachment_id: attachment_id === null ? null : (to.attachment(attachment_id) ?? null),
      text: exactText(one.text, bug.id, to),
      creator: loginIn(to, one.creator),
    })),
    history: source.history.map(({ when, who, changes }) => ({
      when,
      who: loginIn(to, who),
      changes: changes.map((change) => exactChange(change as JsonObject, to, comment)),
    })),
    attachments: source.attachments.map((one) => ({
      ...(one as unknown as JsonObject),
      id: to.attachment(one.id) ?? 0,
      bug_id: id,
      creator: loginIn(to, one.creator),
      data: to.data.get(one.id) ?? "",
      flags: (mappedBug({ ...bug, flags: one.flags ?? [] }, to.map).flags ?? []).map((flag) => exactFlag(flag, to)),
    })),
  };
}

function loginIn({ map }: Pick<ExactContext, "map">, login: string): string {
  return mappedName(map, "users", { name: login }) ?? login;
}

function exactFields(bug: SourceBug["bug"], id: number, to: ExactContext): JsonObject {
  const mapped = mappedBug(bug, to.map);
  const { tags: _, update_token: __, ...fields } = mapped as JsonObject;
  // Every bug has these, even where a map leaves the user out.
  const people = Object.fromEntries(
    PERSON_FIELDS.map((role) => [role, bug[role] ? loginIn(to, bug[role]) : (bug[role] ?? null)]),
  );
  return {
    ...fields,
    ...people,
    id,
    depends_on: numbers(bug.depends_on, to),
    blocks: numbers(bug.blocks, to),
    dupe_of: numbers(bug.dupe_of ? [bug.dupe_of] : [], to)[0] ?? null,
    flags: (mapped.flags ?? []).map((flag) => exactFlag(flag, to)),
  };
}

function numbers(ids: readonly number[] | null | undefined, to: Renumbering): readonly number[] {
  return (ids ?? []).flatMap((id) => to.bug(id) ?? []);
}

function exactFlag(flag: object, to: ExactContext): JsonObject {
  const one = flag as JsonObject;
  return { ...one, setter: loginIn(to, String(one["setter"] ?? "")) };
}

/** Sentences that a tracker writes itself: they get the new number alone. */
const OWN_SENTENCES = [
  /(?<=\*\*\* This bug has been marked as a duplicate of bug )\d+(?= \*\*\*$)/,
  /(?<=^\*\*\* Bug )\d+(?= has been marked as a duplicate of this bug\. \*\*\*$)/,
] as const;
const OWN_ATTACHMENT = /^((?:Created|Comment on) attachment )(\d+)(?=\n)/;

function exactText(text: string, bug: number, to: Renumbering): string {
  const own = OWN_SENTENCES.find((sentence) => sentence.test(text));
  if (own) {
    const start = text.search(own);
    const [old = ""] = own.exec(text) ?? [];
    const now = to.bug(Number(old)) ?? old;
    return partText(text.slice(0, start), "", { bug, to }) + now + text.slice(start + old.length);
  }
  const [head = "", words = "", id = ""] = OWN_ATTACHMENT.exec(text) ?? [];
  const now = head === "" ? "" : `${words}${to.attachment(Number(id)) ?? id}`;
  return partText(text.slice(head.length), now, { bug, to });
}

type About = { readonly bug: number; readonly to: Renumbering };

function partText(text: string, before: string, { bug, to }: About): string {
  return before + renumbered(text, bug, to);
}

/** Fields of a history whose values are numbers of bugs. */
const OF_BUGS: ReadonlySet<string> = new Set(["depends_on", "blocks", "dupe_of", "dup_id"]);

function exactChange(change: JsonObject, to: ExactContext, comment: (old: number) => number): JsonObject {
  const { attachment_id, comment: about, field_name, removed, added } = change;
  const isOfBugs = OF_BUGS.has(String(field_name));
  const value = (text: Json | undefined) => (isOfBugs ? movedIds(String(text ?? ""), to) : (text ?? ""));
  const commentId = isObject(about) ? Number(about["comment_id"] ?? 0) : 0;
  return {
    ...change,
    removed: value(removed),
    added: value(added),
    ...(attachment_id ? { attachment_id: to.attachment(Number(attachment_id)) ?? null } : {}),
    ...(commentId > 0 ? { comment: { ...(about as JsonObject), comment_id: comment(commentId) } } : {}),
  };
}

function movedIds(text: string, to: Renumbering): string {
  return text.replace(/\d+/g, (old) => String(to.bug(Number(old)) ?? old));
}
