import { BtError } from "../../errors.ts";
import { type Bug, DROPPED_FIELDS } from "../../wire/bug-fields.ts";
import type { Json, JsonObject, Request } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import type { Changes } from "../../wire/resources.ts";
import { readTags } from "../response/response-objects.ts";
import { previewChanges, recordedText } from "./preview.ts";
import { requestBody } from "./update-request.ts";
import { changedNames, isAsRequested, sameValue } from "./write-state.ts";

/** Hint for values that a tracker ignored. */
export const NOT_APPLIED_HINT = "your account may not set these, or the product does not support them";

/**
 * Lines about newer values of others that an update replaced: the response has removed what was not
 * read. What a list that is sent whole lost and gained is compared joined.
 */
export function overwrittenLines(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.entries(changes).flatMap(([name, made]) => {
    const [known, value] = [read[name], sent[name]];
    if (known === undefined || name === "flags") return [];
    if (!Array.isArray(known)) return isReplaced(known, value, made) ? scalarLine(name, known, made) : [];
    const isWhole = Array.isArray(value) || (isObject(value) && value["set"] !== undefined);
    const meant = expected[name] ?? { removed: "", added: "" };
    if (!isWhole || (isJoined(made.removed, meant.removed) && isJoined(made.added, meant.added))) return [];
    return `${name}: the update ${sidesText(made)}, instead of ${sidesText(meant)}`;
  });
}

type Sides = Changes[string];

/**
 * True if the value before an update was not the one that was read, except times, reported in the
 * server's zone, and what a tracker replaced itself: Mozilla's makes regressions defects again.
 */
function isReplaced(known: Json, sent: Json | undefined, { removed, added }: Sides): boolean {
  const isOwn = sent !== undefined && sameValue(removed, sent) && !sameValue(added, sent);
  return !isOwn && !MOMENT.test(String(known)) && !sameValue(known, removed);
}

const MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function scalarLine(name: string, known: Json, { removed, added }: Sides): string {
  return `${name} was "${removed ?? ""}" before the update, not "${recordedText(known)}"; it is now "${added ?? ""}"`;
}

/** True if two joined lists have the same characters: items may have commas, and another order. */
function isJoined(one: string | null, other: string | null): boolean {
  const characters = (text: string | null) => [...(text ?? "").toLowerCase()].sort().join("");
  return characters(one) === characters(other);
}

function sidesText({ removed, added }: Sides): string {
  return `removed "${removed ?? ""}" and added "${added ?? ""}"`;
}

/** Fields that an update should have changed, and that its response does not report so. */
export function unreportedFields(read: JsonObject, sent: JsonObject, changes: Changes): string[] {
  const expected = previewChanges(read, sent);
  return Object.keys(sent).filter((name) => {
    const [own, shown = own] = changedNames(name);
    if (ADDRESSES.has(name) || (expected[name] ?? expected[shown ?? ""]) === undefined) return false;
    if (hasWideCharacter(sent[name])) return true;
    const change = changes[own ?? ""] ?? changes[shown ?? ""];
    const value = sent[name] ?? null;
    const isSame = typeof value === "object" || String(change?.added).toLowerCase() === String(value).toLowerCase();
    return change === undefined || !(isSame || sameValue(change.added, value));
  });
}

/** True for characters, such as emoji, that Bugzilla 5.0 reports as sent, and stores as `????`. */
function hasWideCharacter(value: Json | undefined): boolean {
  return /[^\0-\uffff]/u.test(JSON.stringify(value ?? null));
}

const ADDRESSES: ReadonlySet<string> = new Set(["url", "see_also"]);

/**
 * Requested fields of a new bug that a tracker may have ignored.
 * @see Bugzilla/Bug.pm, `run_create_validators` and the `_check_...` functions that it calls
 */
export function fieldsToReadBack(body: JsonObject): string[] {
  const wide = Object.keys(body).filter((name) => name !== "description" && hasWideCharacter(body[name]));
  return [...new Set([...DROPPED_FIELDS.filter((name) => body[name] !== undefined), ...wide])];
}

/** Requested fields that a new bug does not have. Trackers may add groups and flags. */
export function ignoredByCreate(body: JsonObject, bug: Bug, names = fieldsToReadBack(body)): string[] {
  return names.filter((name) => {
    const value = body[name] ?? null;
    const isPart = name !== "flags" && Array.isArray(value) && value.length > 0;
    const now = bug as JsonObject;
    const isEqual = isAsRequested(name, isPart ? { add: value } : value, { before: undefined, now });
    return !isEqual && String(value).toLowerCase() !== String(now[name]).toLowerCase(); // of logins
  });
}

/**
 * Checks the tags after an update, since trackers return an empty list for a comment that does not exist.
 * @throws BtError of kind missing
 */
export function assertTagsApplied(request: Request, now: Json): void {
  const { add = [], remove = [], comment_id: id = "" } = requestBody(request);
  const gone = new Set(remove as string[]);
  if (readTags(now).length > 0 || (add as string[]).every((tag) => gone.has(tag))) return;
  throw new BtError("missing", `the tags of comment ${id} were not updated`, {
    notApplied: request,
    hint: "check the comment id: bt comment list BUG shows the ids",
  });
}
