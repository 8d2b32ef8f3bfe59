import { suggestNames } from "../../api/nearest.ts";
import { MAX_ATOMIC_BUGS } from "../../api/operations/write-bugs.ts";
import type { CommandFlag, FlagMembers } from "../../command-flag.ts";
import { type BtError, usageError } from "../../errors.ts";
import { COMMON_FLAGS, type SessionFlags, TRACKER_FLAGS } from "../../session/flags.ts";
import { FORMATS } from "../../view/view.ts";

/** The flag of every verb that prints JSON. */
export const JQ_FLAG = {
  name: "jq",
  short: "q",
  value: "<expression>",
  about: "filter the JSON with a jq expression; with --format ndjson line by line",
  group: "Output",
} as const satisfies CommandFlag;

/** The flag of what writes CSV. */
export const RAW_FLAG = {
  name: "raw",
  about: "do not escape CSV cells that look like formulas",
  group: "Output",
} as const satisfies CommandFlag;

export const FIELDS_FLAG = {
  name: "fields",
  short: "f",
  value: "<names>",
  many: true,
  about: "columns or JSON keys to print, separated by commas",
  completes: "printed fields",
  group: "Output",
} as const satisfies CommandFlag;

/** Flags of every verb that prints data. */
export const OUTPUT_FLAGS = [
  { name: "json", about: "print JSON; --json=NAME,NAME selects fields", group: "Output" },
  { name: "format", value: "<format>", about: FORMATS.join(", "), choices: FORMATS, group: "Output" },
  FIELDS_FLAG,
  JQ_FLAG,
  RAW_FLAG,
  { name: "no-pager", about: "do not use a pager", group: "Output" },
] as const satisfies readonly CommandFlag[];

/** Error for a name of `--fields` that is no printed column. */
export function unknownColumnError(name: string, columns: readonly string[]): BtError {
  const hint = suggestNames(name, columns) ?? `valid values: ${columns.join(", ")}`;
  return usageError(`unknown column "${name}" for --fields`, hint);
}

/**
 * The flags of a verb: its own, and shared ones. A verb that needs the tracker accepts `--offline` as well, to refuse it with
 * the reason.
 */
export function acceptedFlags({ flags, output, offline }: FlaggedVerb): CommandFlag[] {
  const own = flags();
  const ofOutput = output ? OUTPUT_FLAGS.filter(({ name }) => !own.some((flag) => flag.name === name)) : [];
  return [...own, ...(offline ? [] : TRACKER_FLAGS), ...ofOutput, ...COMMON_FLAGS];
}

/** The flags of a verb that help lists. */
export function listedFlags(verb: FlaggedVerb): CommandFlag[] {
  return acceptedFlags(verb).filter(({ name }) => verb.needs === undefined || name !== "offline");
}

type FlaggedVerb = { flags: () => readonly CommandFlag[]; output?: unknown; offline?: unknown; needs?: unknown };

/** The flag of verbs that open a page of the tracker. */
export const WEB = {
  name: "web",
  short: "w",
  about: "open in the browser instead",
  group: "Result",
} as const satisfies CommandFlag;

export const PRODUCTS = {
  name: "product",
  short: "p",
  value: "<name>",
  many: true,
  about: "only the bugs of this product (default all)",
  completes: "product",
  group: "Criteria",
} as const satisfies CommandFlag;

export const LIMIT = {
  name: "limit",
  short: "L",
  value: "<number>",
  least: 1,
  about: "maximum number of bugs (default 10)",
  group: "Criteria",
} as const satisfies CommandFlag;

export const OUTPUT_FILE = {
  name: "output",
  short: "o",
  value: "<file>",
  about: 'file to write ("-" for stdout, the default)',
  completes: "file",
  group: "File",
} as const satisfies CommandFlag;

/** The flag of verbs that read the bugs of a running text. */
export const FROM_TEXT = {
  name: "from-text",
  about: 'take the bugs that a text ("-": stdin) mentions: "bug 12", "Fixes #12", bug-12-fix, a URL; not #12 alone',
  group: "Bugs",
} as const satisfies CommandFlag;

/** Flags that read a comment from a file or the editor. */
export const COMMENT_SOURCES = [
  {
    name: "body-file",
    short: "F",
    value: "<file>",
    about: 'read the comment from a file ("-" for stdin)',
    completes: "file",
    group: "Comment",
  },
  { name: "editor", short: "e", about: "write the comment in your editor", group: "Comment" },
] as const satisfies readonly CommandFlag[];

export const [BODY_FILE, EDITOR] = COMMENT_SOURCES;

/** Source of a long text; the arguments name the bugs that it is about. */
export type ProseInput = { args: string[] } & Partial<FlagMembers<(typeof COMMENT_SOURCES)[number]>>;

/** True if a long text is given, in whichever way. */
export function hasProse({ bodyFile, editor }: ProseInput, typed: string | undefined): boolean {
  return typed !== undefined || bodyFile !== undefined || editor === true;
}

export const YES = {
  name: "yes",
  short: "y",
  about: "skip the prompt",
  group: "Safety",
} as const satisfies CommandFlag;

export const UPDATE_FLAGS = [
  { ...YES, about: `skip the prompt for over ${MAX_ATOMIC_BUGS} bugs or a partial update` },
  { name: "if-unchanged", about: "fail if a bug is modified while this command runs", group: "Safety" },
  {
    name: "unchanged-since",
    value: "<time>",
    about: "fail if a bug was modified after this time",
    group: "Safety",
  },
] as const satisfies readonly CommandFlag[];

export const DRY_RUN = {
  name: "dry-run",
  short: "n",
  about: "print the request and its effect without sending it",
  group: "Safety",
} as const satisfies CommandFlag;

/** The flag of updates that may remove the last group of a bug, see `mayBecomePublic`. */
export const ALLOW_NO_GROUPS = {
  name: "allow-no-groups",
  about: "allow a change that may leave a bug without groups, and public",
  group: "Safety",
} as const satisfies CommandFlag;

/** Options of an update: preconditions, confirmation, dry run. */
export type UpdateOptions = { args: string[] } & Partial<
  FlagMembers<(typeof UPDATE_FLAGS)[number] | typeof DRY_RUN | typeof ALLOW_NO_GROUPS>
>;

const COMMENT_TEXT = {
  name: "comment",
  short: "m",
  aliases: ["body", "message"],
  value: "<text>",
  about: 'add a comment ("-" for stdin)',
  group: "Comment",
} as const satisfies CommandFlag;

/** Flags of updates that may add a comment. */
export const COMMENTED_UPDATE_FLAGS = [COMMENT_TEXT, ...COMMENT_SOURCES, DRY_RUN, ...UPDATE_FLAGS] as const;

/** A word as it is typed in a shell: in double quotes if it has single quotes and nothing that a shell expands in double ones. */
export function shellWord(text: string): string {
  if (/^[\w.,/:@%+=-]+$/.test(text)) return text;
  return /'/.test(text) && !/["$`\\!]/.test(text) ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The flags that name the tracker of a command, behind a line to paste. */
export function trackerWords({ baseUrl, profile }: SessionFlags): string {
  return `${baseUrl ? ` --base-url ${shellWord(baseUrl)}` : ""}${profile ? ` -P ${shellWord(profile)}` : ""}`;
}
