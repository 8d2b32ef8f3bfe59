import type { Bug } from "../../wire/bug-fields.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isSameLogin } from "../people.ts";
import { partsByBody, type UpdatePart } from "./update-part.ts";

/**
 * Answer to the flag requests of a name that wait for a user. A body holds it under `flags` until it is sent; then it
 * becomes changes of the bug's own flags, by id.
 */
export type FlagAnswer = {
  readonly name: string;
  readonly asked: string; // login
  readonly to?: string; // login that the first request goes to instead; the others are cleared
};

/** Flag requests of a name that wait for a user. */
export function flagsRequestedFrom(login: string, name: string, flags: Bug["flags"]): Flag[] {
  return (flags ?? []).filter(
    (flag) => flag.name === name && flag.status === "?" && isSameLogin(flag.requestee, login),
  );
}

/** Flag changes that answer the requests on a bug; someone else's requests stay. */
export function answeredFlags({ name, asked, to }: FlagAnswer, flags: Bug["flags"]): JsonObject[] {
  const moves = to !== undefined && flagsRequestedFrom(to, name, flags).length === 0;
  return flagsRequestedFrom(asked, name, flags).map(({ id }, at) =>
    moves && at === 0 ? { id, status: "?", requestee: to } : { id, status: "X" },
  );
}

/** Comment of an update, and whether bugs that stay unchanged get it too. */
export type UpdateComment = { readonly body: JsonObject; readonly addToUnchanged: boolean };

/** Up to two updates: of the bugs on which requests wait for the user, and of the others, which stay unchanged. */
export function answerParts(bugs: readonly Bug[], answer: FlagAnswer, comment: UpdateComment): readonly UpdatePart[] {
  const { name, asked } = answer;
  const hasRequest = ({ flags }: Bug) => flags === undefined || flagsRequestedFrom(asked, name, flags).length > 0;
  const body = { flags: answer, ...comment.body };
  return partsFor(bugs, (bug) => (hasRequest(bug) ? { body, only: "asked" } : undefined), comment);
}

/** A flag to request from these users; `isSingle` if a bug can have it only once. */
export type FlagRequest = {
  name: string;
  from: string[];
  isSingle: boolean;
};

/** One update per set of missing requests; bugs on which all users are asked already stay unchanged. */
export function flagRequestParts(
  bugs: readonly Bug[],
  flagRequestFor: (bug: Bug) => FlagRequest,
  comment: UpdateComment,
): readonly UpdatePart[] {
  const updateFor = (bug: Bug): Update | undefined => {
    const { name, from, isSingle } = flagRequestFor(bug);
    const missing = from.filter((login) => flagsRequestedFrom(login, name, bug.flags).length === 0);
    const flags = missing.map((requestee) => ({ name, status: "?", requestee, ...(isSingle ? {} : { new: true }) }));
    return missing.length === 0 ? undefined : { body: { flags, ...comment.body }, only: "unasked" };
  };
  return partsFor(bugs, updateFor, comment);
}

type Update = Omit<UpdatePart, "bugs">;

/** Bugs with equal updates in one part each, then those without. */
function partsFor(
  bugs: readonly Bug[],
  updateFor: (bug: Bug) => Update | undefined,
  { body, addToUnchanged }: UpdateComment,
): UpdatePart[] {
  const unchanged = addToUnchanged ? { body } : { body: {}, dropped: Object.keys(body) };
  const parts = partsByBody(bugs.map((bug) => ({ bug, ...(updateFor(bug) ?? unchanged) })));
  return parts.sort((a, b) => Number(a.only === undefined) - Number(b.only === undefined));
}

/** True if a resumed update of flags still applies to a bug: its requests wait, or are missing. */
export function isFlagUpdateDue(only: "asked" | "unasked", { flags }: JsonObject, bug: Bug): boolean {
  if (only === "asked") {
    const { name, asked } = flags as FlagAnswer;
    return flagsRequestedFrom(asked, name, bug.flags).length > 0;
  }
  const requests = flags as Json[] as Flag[];
  return requests.some(({ name, requestee = "" }) => flagsRequestedFrom(requestee, name, bug.flags).length === 0);
}
