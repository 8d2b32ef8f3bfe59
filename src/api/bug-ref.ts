import { BtError, usageError } from "../errors.ts";
import { isAtOrBelow, pagesAddress, parsedUrl } from "../wire/exchange.ts";
import type { Comment } from "../wire/resources.ts";

/** Id or alias of a bug, as sent. */
export type BugRef = string;

/**
 * Parses a bug given as `12`, `#12`, an alias, or the URL of its page on this tracker.
 * @throws BtError of kind usage if the text cannot be an alias
 * @see Bugzilla/Bug.pm, `_check_alias`
 */
export function bugRef(text: string, trackerAddress: string): BugRef {
  const isAddress = /^https?:/i.test(text);
  const ref = isAddress ? refOfAddress(text, trackerAddress) : refOfWord(text);
  if (ref !== undefined) return ref;
  if (!isAddress)
    throw usageError(`invalid bug ${JSON.stringify(text)}`, "use a bug number such as 12, an alias, or a URL");
  throw usageError(
    `${text} is not a bug of ${trackerAddress}`,
    "a bug URL ends in show_bug.cgi?id=NUMBER; --base-url names another tracker",
  );
}

/** True for a bug id: digits without a leading zero, within the safe integers. */
export function isBugId(text: string): boolean {
  return /^[1-9][0-9]{0,15}$/.test(text) && Number(text) <= Number.MAX_SAFE_INTEGER;
}

/** Names in a text, separated by commas or whitespace. */
export function splitNames(input: string): string[] {
  return input.split(/[\s,]+/).filter((word) => word !== "");
}

export function bugNames({ id, alias }: { id?: number | null; alias?: unknown }): string[] {
  return [String(id), ...[alias ?? []].flat().map(String)];
}

const MAX_ALIAS_LENGTH = 40;
const NO_ALIAS = /^$|[\s,\p{Cc}]|^[-+#]?[0-9]+$/u;

function refOfWord(word: string): BugRef | undefined {
  const bare = word.startsWith("#") ? word.slice(1) : word;
  if (isBugId(bare)) return bare;
  return NO_ALIAS.test(word) || [...word].length > MAX_ALIAS_LENGTH ? undefined : word;
}

/** The bug of an address below the tracker's: `show_bug.cgi?id=12`, `12`, `bug/12`, `rest/bug/12`. */
function refOfAddress(text: string, trackerAddress: string): BugRef | undefined {
  const url = parsedUrl(text);
  const tracker = /^https?:/.test(trackerAddress) ? new URL(pagesAddress(trackerAddress)) : undefined;
  if (!url || !tracker || !isAtOrBelow(url, tracker)) return undefined;
  const path = url.pathname.slice(tracker.pathname.replace(/\/+$/, "").length);
  const [, inPath = ""] = /^\/(?:(?:rest\/)?bug\/)?([1-9][0-9]*)\/?$/.exec(path) ?? [];
  return refOfWord(path === "/show_bug.cgi" ? (url.searchParams.get("id") ?? "") : inPath);
}

/**
 * Distinct bugs that a running text mentions, in order: `bug 12`, `Bug #12, #13`, `bugs 12, 13 and 14`,
 * `rhbz#12`, `bug-12-fix` of a branch, `Fixes #12`, and the addresses of bugs on this tracker. A bare `#12`, as in
 * "Merge pull request #12", may be of another tracker and does not count.
 * @see https://bugzilla.readthedocs.io/en/5.2/using/tips.html#autolinkification
 */
export function mentionedBugs(text: string, trackerAddress: string): BugRef[] {
  const found = [...text.matchAll(mentionPattern())].flatMap(({ groups: { address, ...numbers } = {} }) => {
    if (address !== undefined) return refOfAddress(address.replace(/[.,;:!?'*_]+$/, ""), trackerAddress) ?? [];
    return Object.values(numbers).join(" ").match(/\d+/g)?.filter(isBugId) ?? [];
  });
  return [...new Set(found)];
}

function mentionPattern(): RegExp {
  const number = String.raw`\d+(?![\w-]|\.\d)`;
  const joint = String.raw`(?:\s*,\s*(?:(?:and|or|&)\s+)?|\s+(?:and|or|&)\s+)`;
  const list = (first: string, others: string) => `${first}${number}(?:${joint}${others}${number})*`; // "12, 13 and 14"
  const patterns = [
    String.raw`(?<address>https?:\/\/[^\s<>"\`()[\]{}]+)`,
    String.raw`(?<![\w/.-])show_bug\.cgi\?id=(?<page>\d+)(?!\w)`,
    String.raw`(?<![\w/.-])bugs\s+(?<many>${list("#?", "#?")})`,
    String.raw`(?<![\w/.-])bug\s+(?<one>${list("#?", "#")})`,
    String.raw`(?<![\w/.-])(?:rhbz|bz)\s?#(?<tagged>\d+)(?!\w)`,
    String.raw`(?<![\w.-])bug[-_](?<branch>\d+)(?!\w|\.\d|-\d)`,
    String.raw`(?<![\w/.-])(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):?\s+(?<fixed>${list("#", "#")})`,
  ];
  return new RegExp(patterns.join("|"), "gi");
}

/** A comment by its global id, or by its bug and number there; `word` is how it was typed. */
export type CommentRef = { readonly word: string } & (
  | { readonly id: number }
  | { readonly bug: BugRef; readonly count: number }
);

/**
 * Parses the name of a comment: `44.3`, `44#3`, `44#c3`, the URL of a comment, or its id as `c:91` or `91`.
 * @throws BtError of kind usage
 */
export function commentRef(word: string, trackerAddress: string): CommentRef {
  const [, id] = /^(?:c:)?([1-9][0-9]{0,14})$/i.exec(word) ?? [];
  if (id !== undefined) return { word, id: Number(id) };
  const [, beforeHash, name = beforeHash, count] =
    /^(?:show_bug\.cgi\?id=)?(?:(.+)#c?|([^/?]+)\.)([0-9]{1,9})$/s.exec(word) ?? [];
  if (name !== undefined) return { word, bug: bugRef(name, trackerAddress), count: Number(count) };
  throw usageError(
    `${JSON.stringify(word)} is not a comment`,
    "44.3 is comment 3 on bug 44, c:91 the one with this id; bt comment list BUG shows them",
  );
}

/**
 * Parses the name of a comment where the bug is known by the given names, so that its number is enough: `3`, `#3`.
 * @throws BtError of kind usage, also for a comment of another bug
 */
export function commentOfBug(text: string, names: readonly string[], trackerAddress: string): CommentRef {
  const word = text.trim();
  const [bug = ""] = names;
  const isNumber = /^#?[0-9]{1,9}$/.test(word);
  const ref = isNumber ? { word, bug, count: Number(word.replace("#", "")) } : commentRef(word, trackerAddress);
  if ("id" in ref || names.includes(ref.bug)) return ref;
  throw usageError(
    `${JSON.stringify(text)} is not a comment of bug ${bug}`,
    `bt comment list ${bug} shows the numbers`,
  );
}

/**
 * The comment that a reference names, among the comments of its bug.
 * @throws BtError of kind missing if the bug does not have it, or the user may not see it
 */
export function commentIn(comments: readonly Comment[], ref: CommentRef, bug: number | string): Comment {
  const found = comments.find(({ id, count }) => ("id" in ref ? id === ref.id : count === ref.count));
  if (found) return found;
  throw new BtError("missing", `bug ${bug} has no visible comment ${"id" in ref ? `c:${ref.id}` : ref.count}`, {
    hint: `bt comment list ${bug} shows the numbers`,
  });
}
