import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { suggestNames } from "../../api/nearest.ts";
import type { CommandFlag } from "../../command-flag.ts";
import { usageError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { isObject } from "../../wire/json.ts";
import { inputFrom, type ParsedInput } from "../input.ts";
import { commandOn } from "../line.ts";
import { acceptedFlags } from "../shared/flags.ts";
import type { Argument, CommandTree, Verb } from "../verb.ts";

/** A tool is made from a verb: the flags of its parameters, the `flags` named here, and `own` arguments. */
type ToolRow = {
  name: string;
  title: string;
  about?: string; // absent: the help of the verb
  verb: string;
  flags: string[];
  own?: Record<string, JsonObject>;
  writes?: "adds" | "overwrites"; // absent: it reads
};

const page = { type: "integer", minimum: 1, description: "page of the list, or of comments and changes (1)" };

const TOOLS: ToolRow[] = [
  {
    name: "search",
    title: "Search bugs",
    about: `Search for bugs. A bug must meet all criteria; a list allows several values. Prints 20 bugs, newest first, unless \
limit is given; count first if there may be many.`,
    verb: "bug search",
    flags: ["where", "sort", "count", "fields"],
    own: { limit: { type: "integer", minimum: 1, maximum: 100, description: "maximum number of bugs (20)" } },
  },
  {
    name: "get",
    title: "Read bugs",
    about: `Read bugs by number, alias or address, at most 20; "12.3" is the whole text of comment 3 on bug 12 (12.0: the \
description).`,
    verb: "bug get",
    flags: ["comments", "history", "fields"],
    own: { page },
  },
  {
    name: "values",
    title: "Fields and legal values",
    about: "List the legal values of a field; without one, the fields of bugs.",
    verb: "field values",
    flags: ["product"],
    own: { page },
  },
  { name: "similar", title: "Find duplicates", verb: "bug similar", flags: ["summary", "product", "limit"] },
  { name: "todo", title: "What waits for you", verb: "todo", flags: ["days"] },
  {
    name: "create",
    title: "File a bug",
    about: "File a bug and print its number. Look for duplicates first, with similar.",
    verb: "bug create",
    flags: ["field", "dry-run"],
    writes: "adds",
  },
  {
    name: "update",
    title: "Update bugs",
    about: `Update at most 20 bugs, and print the changes. Edit lists with add_... and remove_...; flags: review? requests, \
review+ and review- decide, reviewX clears.`,
    verb: "bug update",
    flags: ["field", "private", "once-by", "if-unchanged", "unchanged-since", "dry-run"],
    writes: "overwrites",
  },
  {
    name: "comment",
    title: "Comment on a bug",
    about: "Add a comment to a bug.",
    verb: "comment add",
    flags: ["reply", "dry-run"],
    writes: "adds",
  },
  {
    name: "undo",
    title: "Undo a change",
    about: "Undo your last change of each of these bugs, if it was made by bt on this machine. Comments stay.",
    verb: "bug undo",
    flags: ["comment", "dry-run"],
    writes: "overwrites",
  },
];

/** Flags that change who can see a bug or comment; only for a server that shows what is private. */
const VISIBILITY: ReadonlySet<string> = new Set([
  ...["comment-is-private", "groups", "add-groups", "remove-groups", "is-cc-accessible", "is-creator-accessible"],
]);

/** The tools of a server that may write, or show what is private. */
export function createTools(tree: CommandTree, may: { writes: boolean; private: boolean }): Tool[] {
  const rows = TOOLS.filter(({ writes }) => may.writes || writes === undefined);
  return rows.map((row) => createTool(row, verbNamed(row.verb, tree), may.private));
}

function createTool({ name, title, about, flags, own, writes }: ToolRow, verb: Verb, isPrivate: boolean): Tool {
  const args = (verb.args ?? []).filter(({ completes }) => completes !== "terms"); // these are expressions, in `where`
  const isOffered = (flag: CommandFlag) =>
    (flags.includes(flag.name) || flag.parameter !== undefined) && (isPrivate || !VISIBILITY.has(flag.name));
  const properties: Record<string, JsonObject> = {
    ...Object.fromEntries(args.map((argument) => [argumentKey(argument), argumentSchema(argument)])),
    ...Object.fromEntries(
      acceptedFlags(verb)
        .filter(isOffered)
        .map((flag) => [flagKey(flag), flagSchema(flag)]),
    ),
    ...own,
  };
  const required = args.filter(({ optional }) => !optional && name !== "values").map(argumentKey);
  const hints = { readOnlyHint: !writes, destructiveHint: writes === "overwrites", idempotentHint: !writes };
  return {
    ...{ name, title, description: about ?? verb.about },
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations: { title, ...hints, openWorldHint: true },
  };
}

export function verbNamed(words: string, tree: CommandTree): Verb {
  const { verb } = commandOn(words.split(" "), tree);
  if (verb === undefined) throw new Error(`no verb ${words}`);
  return verb;
}

function flagKey({ name }: CommandFlag): string {
  return name.replaceAll("-", "_");
}

function argumentKey({ name, many }: Argument): string {
  return many ? `${name}s` : name;
}

function argumentSchema({ name, many }: Argument): JsonObject {
  const text = { type: "string" };
  const description = name === "bug" ? "number, alias or address" : name;
  return many ? { type: "array", items: text, minItems: 1, maxItems: MAX_BUGS, description } : { ...text, description };
}

/** Maximum number of bugs in a call. */
export const MAX_BUGS = 20;

function flagSchema({ value, many, least, choices, completes, about: description }: CommandFlag): JsonObject {
  if (value === undefined || completes === "bool") return { type: "boolean", description };
  const type = least !== undefined || value === "<number>" ? "integer" : "string";
  const item = { type, ...(least !== undefined && { minimum: least }), ...(choices && { enum: choices }) };
  return many ? { type: "array", items: item, description } : { ...item, description };
}

/**
 * Checks that a tool has the arguments of a call.
 * @throws BtError of kind usage for an unknown argument
 */
export function checkArguments({ name, inputSchema }: Tool, given: JsonObject): void {
  const known = Object.keys(inputSchema.properties ?? {});
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw usageError(
    `${name} has no argument ${JSON.stringify(unknown)}`,
    suggestNames(unknown, known) ?? known.join(", "),
  );
}

/**
 * Input of a verb from the arguments of a call, which are read as flags are.
 * @throws BtError of kind usage
 */
export function inputOf(verb: Verb, given: JsonObject): ParsedInput {
  const flags = acceptedFlags(verb).map((flag) => [flag, flagArguments(flag, given[flagKey(flag)])] as const);
  const keys = (verb.args ?? []).map(argumentKey);
  return inputFrom(
    new Map(flags),
    keys.flatMap((key) => argumentTexts(key, given[key])),
  );
}

function flagArguments(flag: CommandFlag, given: Json | undefined): string[] {
  const key = flagKey(flag);
  const isYesNo = flag.completes === "bool";
  if (flag.value !== undefined && !isYesNo) return argumentTexts(key, given);
  if (given === null || given === undefined || (given === false && !isYesNo)) return [];
  if (typeof given !== "boolean") throw usageError(`${key} is true or false, not ${JSON.stringify(given)}`);
  return [given ? "yes" : "no"];
}

/** Texts of an argument: a text, a number, or a list of these. */
export function argumentTexts(key: string, given: Json | undefined): string[] {
  return [given ?? []].flat().map((item) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    throw usageError(`${key} is a text or a list of texts, not ${JSON.stringify(isObject(item) ? {} : item)}`);
  });
}
