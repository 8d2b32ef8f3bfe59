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

/**
 * A tool: the verb that it is made from, with the flags of its parameters, the others that are named, and what is the
 * tool's own.
 */
type ToolRow = {
  name: string;
  title: string;
  about?: string; // absent: that of the verb
  verb: string;
  flags: string[];
  own?: Record<string, JsonObject>;
  isDestructive?: true; // may overwrite what others wrote
};

const READS: ToolRow[] = [
  {
    name: "search",
    title: "Search bugs",
    about:
      "Search for bugs. A bug must meet all criteria; a list allows several values. Prints 20 bugs, newest first, unless limit is given; count first if there may be many.",
    verb: "bug search",
    flags: ["where", "sort", "count", "fields"],
    own: { limit: { type: "integer", minimum: 1, maximum: 100, description: "maximum number of bugs (20)" } },
  },
  {
    name: "get",
    title: "Read bugs",
    about:
      'Read bugs by number, alias or address, at most 20; "12.3" is the whole text of comment 3 on bug 12 (12.0: the description).',
    verb: "bug get",
    flags: ["comments", "history", "fields"],
    own: {
      attachments: { type: "boolean", description: "with a list of the attachments" },
      page: { type: "integer", minimum: 1, description: "page of comments and changes, from the first (1)" },
    },
  },
  {
    name: "values",
    title: "Fields and legal values",
    about: "List the legal values of a field; without one, the fields of bugs.",
    verb: "field values",
    flags: ["product"],
    own: { page: { type: "integer", minimum: 1, description: "page of the list, from the first (1)" } },
  },
  {
    name: "similar",
    title: "Find duplicates",
    verb: "bug similar",
    flags: ["summary", "product", "limit"],
  },
  { name: "todo", title: "What waits for you", verb: "todo", flags: ["days"] },
];

const WRITES: ToolRow[] = [
  {
    name: "create",
    title: "File a bug",
    about: "File a bug and print its number. Look for duplicates first, with similar.",
    verb: "bug create",
    flags: ["field", "dry-run"],
  },
  {
    name: "update",
    title: "Update bugs",
    about:
      "Update at most 20 bugs, and print the changes. Edit lists with add_... and remove_...; flags: review? requests, review+ and review- decide, reviewX clears.",
    verb: "bug update",
    flags: ["field", "private", "once-by", "if-unchanged", "unchanged-since", "dry-run"],
    isDestructive: true,
  },
  {
    name: "comment",
    title: "Comment on a bug",
    about: "Add a comment to a bug.",
    verb: "comment add",
    flags: ["reply", "dry-run"],
  },
  {
    name: "undo",
    title: "Undo a change",
    about: "Undo your last change of each of these bugs, if it was made by bt on this machine. Comments stay.",
    verb: "bug undo",
    flags: ["comment", "dry-run"],
    isDestructive: true,
  },
];

/** Flags that change who can see a bug or comment; only for a server that shows what is private. */
const VISIBILITY: ReadonlySet<string> = new Set([
  "comment-is-private",
  "groups",
  "add-groups",
  "remove-groups",
  "is-cc-accessible",
  "is-creator-accessible",
]);

export function createTools(tree: CommandTree, has: { writes: boolean; private: boolean }): Tool[] {
  const reads = READS.map((row) => createTool(row, tree, { isRead: true, isPrivate: has.private }));
  const writes = WRITES.map((row) => createTool(row, tree, { isRead: false, isPrivate: has.private }));
  return has.writes ? [...reads, ...writes] : reads;
}

function createTool(
  row: ToolRow,
  tree: CommandTree,
  { isRead, isPrivate }: { isRead: boolean; isPrivate: boolean },
): Tool {
  const { name, title, own, isDestructive: destructiveHint = false } = row;
  const verb = verbNamed(row.verb, tree);
  const properties: Record<string, JsonObject> = {};
  const args = (verb.args ?? []).filter(({ completes }) => completes !== "terms"); // these are expressions, in `where`
  for (const argument of args) properties[argumentKey(argument)] = argumentSchema(argument);
  for (const flag of acceptedFlags(verb)) {
    const isOffered = row.flags.includes(flag.name) || flag.parameter !== undefined;
    if (isOffered && (isPrivate || !VISIBILITY.has(flag.name))) properties[flagKey(flag)] = flagSchema(flag);
  }
  const required = args.filter(({ optional }) => !optional && name !== "values").map(argumentKey);
  return {
    ...{ name, title, description: row.about ?? verb.about },
    inputSchema: { type: "object", properties: { ...properties, ...own }, required, additionalProperties: false },
    annotations: { title, readOnlyHint: isRead, destructiveHint, idempotentHint: isRead, openWorldHint: true },
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

/** The most bugs that a call names. */
export const MAX_BUGS = 20;

function flagSchema({ value, many, least, choices, completes, about: description }: CommandFlag): JsonObject {
  if (value === undefined || completes === "bool") return { type: "boolean", description };
  const item: JsonObject = itemSchema(value, least, choices);
  return many ? { type: "array", items: item, description } : { ...item, description };
}

function itemSchema(value: string, least: number | undefined, choices: CommandFlag["choices"]): JsonObject {
  if (least !== undefined) return { type: "integer", minimum: least };
  if (choices) return { type: "string", enum: choices };
  return { type: value === "<number>" ? "integer" : "string" };
}

/**
 * Checks that a tool has the arguments of a call.
 * @throws BtError of kind usage for another one
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
  const textsByFlag = new Map<CommandFlag, string[]>();
  for (const flag of acceptedFlags(verb)) textsByFlag.set(flag, flagArguments(flag, given[flagKey(flag)] ?? null));
  const args = (verb.args ?? []).flatMap((argument) =>
    argumentTexts(argumentKey(argument), given[argumentKey(argument)] ?? null),
  );
  return inputFrom(textsByFlag, args);
}

function flagArguments(flag: CommandFlag, given: Json): string[] {
  const key = flagKey(flag);
  const isYesNo = flag.completes === "bool";
  if (flag.value !== undefined && !isYesNo) return argumentTexts(key, given);
  if (given === null || (given === false && !isYesNo)) return [];
  if (typeof given !== "boolean") throw usageError(`${key} is true or false, not ${JSON.stringify(given)}`);
  return [given ? "yes" : "no"];
}

/** Texts of an argument: a text, a number, or a list of these. */
export function argumentTexts(key: string, given: Json): string[] {
  if (given === null) return [];
  return [given].flat().map((item) => {
    if (typeof item === "string" || typeof item === "number") return String(item);
    throw usageError(`${key} is a text or a list of texts, not ${JSON.stringify(isObject(item) ? {} : item)}`);
  });
}
