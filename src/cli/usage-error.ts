import type { CommanderError } from "commander";
import { isTypo, nearestWords, suggestNames, valueMeant } from "../api/nearest.ts";
import type { CommandFlag } from "../command-flag.ts";
import { HELP_TOPICS } from "../commands/help-topics.ts";
import { commandOn, flagNamed, flagsOnLine, onlyFlags, withoutFlags } from "../commands/line.ts";
import { acceptedFlags } from "../commands/shared/flags.ts";
import { shellWord } from "../commands/shared/shell-word.ts";
import { type CommandTree, isCalled, isListed, isReading, type Noun, type Verb } from "../commands/verb.ts";
import { BtError, usageError, withDetails, withFacts } from "../errors.ts";
import { CONNECTION_SETTINGS } from "../session/connection-settings.ts";
import { TRACKER_FLAGS } from "../session/flags.ts";
import { bugFieldRow } from "../wire/bug-fields.ts";
import { FOREIGN_COMMANDS, FOREIGN_FLAGS } from "./foreign-words.ts";
import { TOPICS } from "./help.ts";

/** A command line that commander rejected: the verb, its flags, and the words and arguments found. */
type RejectedLine = {
  name: string;
  verb: Verb;
  flags: CommandFlag[];
  words: readonly string[];
  args: readonly string[];
};

type Words = RejectedLine["words"];

/** Usage error for a command line that commander rejected, with a suggestion. */
export function commanderError({ code, message }: CommanderError, line: RejectedLine): BtError {
  const { name, flags } = line;
  const text = message.replace(/^error: /, "").split("\n", 1)[0] ?? "";
  switch (code) {
    case "commander.unknownOption":
      return unknownOptionError(/'(.*)'/s.exec(text)?.[1] ?? "", line);
    case "commander.optionMissingArgument": {
      const [flag = text] = /--[\w-]+/.exec(text) ?? [];
      return usageError(`${flag} needs a value`, missingValueHint(flagNamed(flag, flags), name));
    }
    case "commander.missingArgument":
      return missingArgumentError(line);
    case "commander.excessArguments":
      return excessArgumentsError(line);
    default:
      return usageError(text, `run "bt ${name} --help"`);
  }
}

/** Usage error for an unknown flag of a verb; the bugs of one that takes bugs have none. */
function unknownOptionError(flag: string, { name, verb, flags, words }: RejectedLine): BtError {
  const before = name.split(" ");
  const [named] = flag.split("=", 1);
  if (!/^--(?:bugs?|(?:bug[-_])?ids?)$/.test(named ?? "") || verb.args?.[0]?.name !== "bug")
    return unknownFlagError(flag, { name, flags, words, before });
  const others = words.filter((word) => word !== named).map((word) => word.replace(new RegExp(`^${named}=`), ""));
  return usageError(`unknown flag ${named} for ${name}`, "bugs are arguments", [...before, ...others]);
}

/** Usage error for a missing argument: the line with its place, or an example; a file after `-f`, as other tools have it, is in its place. */
function missingArgumentError({ name, verb, flags, words, args }: RejectedLine): BtError {
  const argument = verb.args?.[args.length];
  const missing = argument?.name.replaceAll("-", " ") ?? "argument";
  const message = `${name} needs ${/^[aeio]/.test(missing) ? "an" : "a"} ${missing}`;
  if (argument?.completes === "jobs") return usageError(message, "bt job list lists the jobs");
  const typed = ["bt", name, ...args.map(shellWord)].join(" ");
  const file = flagsOnLine(words, flags).findLast(({ flag }) => missing === "file" && flag.name === "fields")?.value;
  if (file) return usageError(message, `did you mean ${typed} ${shellWord(file)}?`);
  if (args.length > 0) return usageError(message, `${typed} ${missing.toUpperCase()}`);
  const example = verb.examples.find((one) => one.line.startsWith(`bt ${name} `)) ?? verb.examples[0];
  return usageError(message, example && `for example: ${example.line}`);
}

/** Hint for a flag without its value: the values that it may have, or what lists them. */
function missingValueHint(flag: CommandFlag | undefined, name: string): string {
  if (flag?.value === "<yes|no>") return "valid values: yes, no";
  if (flag?.choices) return `valid values: ${flag.choices.join(", ")}`;
  const field = flag?.parameter ?? flag?.completes ?? "";
  const { family = "", isPerProduct } = bugFieldRow(field) ?? {};
  if (!/^(choice|ranked)/.test(family)) return `bt ${name} --help shows the flag`;
  return `bt field values ${field}${isPerProduct ? " --product NAME" : ""} lists valid values`;
}

/** Usage error for more arguments than a verb takes: the value of a switch, bugs among words, or a text without its flag. */
function excessArgumentsError({ name, verb, flags, words, args }: RejectedLine): BtError {
  const most = verb.args?.length ?? 0;
  const [first = ""] = args.slice(most);
  const message = `${name} takes ${most || "no"} argument${most === 1 ? "" : "s"}, but got ${args.length}`;
  const at = words.indexOf(first);
  const before = flagNamed(words[at - 1], flags);
  if (before !== undefined && before.value === undefined) {
    const meant = flags.find((flag) => flag.value && before.short && flag.name.startsWith(before.short));
    const instead = meant ? `; did you mean --${meant.name} ${shellWord(first)}?` : "";
    const line = [...words.slice(0, at - 1), `--${meant?.name}`, ...words.slice(at)];
    return usageError(message, `--${before.name} takes no value${instead}`, meant && [...name.split(" "), ...line]);
  }
  const arranged = arrangedWords({ name, verb, flags, words, args }, at);
  const hint = `bt ${name} --help shows the arguments`;
  return usageError(message, hint, arranged && [...name.split(" "), ...arranged]);
}

/** The words of a verb in their places: the numbers among its arguments, and the text of a comment or a summary behind its flag. */
function arrangedWords({ verb, flags, words, args }: RejectedLine, at: number): string[] | undefined {
  const most = verb.args?.length ?? 0;
  const own = onlyFlags(words, flags);
  const numbers = args.filter((arg) => BUG_ID.test(arg));
  if (most > 1) return numbers.length === most ? [...numbers, ...own] : undefined;
  const text = flags.find((flag) => flag.short && flag.name === (most === 0 ? "summary" : "comment"));
  const begun = own.findIndex((word) => flagNamed(word, flags) === text);
  const isSplit = begun >= 0 && flagNamed(words[at - 2], flags) === text;
  if (text === undefined || (begun >= 0 && !isSplit)) return undefined;
  const bug = most === 0 ? undefined : (numbers[0] ?? args[0]);
  const rest = args.filter((_, place) => place !== (bug === undefined ? -1 : args.indexOf(bug)));
  const begin = isSplit ? own[begun + 1] : undefined;
  if (isSplit) own.splice(begun, 2);
  return [bug ?? "", `-${text.short}`, [begin, ...rest].filter(Boolean).join(" "), ...own].filter(
    (word) => word !== "",
  );
}

/**
 * The line that is meant if a word in place of a bug is none: the words behind a value as a part of it (`44 -a mei tanaka`), and
 * a file behind its bug (`FILE 44`). Only the tracker knows whether it is an alias.
 */
export function lineIfNoBug(line: RejectedLine): string[] | undefined {
  const { name, verb, flags, words, args } = line;
  const before = name.split(" ");
  const numbers = args.filter((arg) => BUG_ID.test(arg));
  if (verb.args?.[1]?.completes === "file" && numbers.length === 1 && args[0] !== numbers[0])
    return [...before, ...numbers, ...args.filter((arg) => arg !== numbers[0]), ...onlyFlags(words, flags)];
  const near = [...args.keys()]
    .map((place) => typedFlag(args, place, flags, true))
    .find((typed) => typed !== undefined);
  if (near && numbers.length > 0) return withTypedFlag(near, line);
  const isStray = (word: string) => args.includes(word) && !BUG_ID.test(word);
  const at = words.findIndex((word, place) => {
    const flag = flagNamed(word, flags);
    return flag?.value && !flag.choices && isStray(words[place + 2] ?? "");
  });
  if (at < 0 || verb.args?.length !== 1) return undefined;
  const more = words.slice(at + 2);
  const end = [...more, "-"].findIndex((word) => !isStray(word));
  const whole = [words[at + 1], ...more.slice(0, end)].join(" ");
  return [...before, ...words.slice(0, at + 1), whole, ...more.slice(end)];
}

/**
 * Rejects a value without its flag after a bug, which no bug has as an alias: `44 FIXED`, `44 priority=High`, `44 priority High`,
 * `44 mei@example.org`; and the original behind a resolution, `44 -r duplicate 12`.
 * @throws BtError of kind usage, with the line to type
 */
export function checkValuesAmongBugs(line: RejectedLine): void {
  const { name, flags, words, args } = line;
  const numbers = args.filter((arg) => BUG_ID.test(arg));
  if (numbers.length === 0) return;
  const isResolution = (word: string, at: number) =>
    args.includes(word) || flagNamed(words[at - 1], flags)?.name === "resolution";
  const closing = words.find((word, at) => /^dup(?:licate)?$/i.test(word) && isResolution(word, at));
  if (closing && name === "bug close" && numbers.length === 2)
    throw usageError(`${closing} requires the original bug`, "bt bug dup", ["bug", "dup", ...numbers]);
  const [login, ...more] = args.filter((arg) => !BUG_ID.test(arg));
  if (name === "bug needinfo" && login && more.length === 0 && !/(?:^|,)--(?:from|to)\b/.test(String(words)))
    throw usageError("missing required flag: --from", "use --from LOGIN", [
      ...["bug", "needinfo", ...numbers, "--from", login],
      ...onlyFlags(words, flags),
    ]);
  for (const at of args.keys()) {
    const typed = typedFlag(args, at, flags);
    if (typed === undefined) continue;
    const meant = withTypedFlag(typed, line);
    throw usageError(`${shellWord(args[at] ?? "")} is not a bug`, `a value has a flag: --${typed.flag}`, meant);
  }
}

/** The words of a line in which the value of a flag stands among the bugs. */
function withTypedFlag({ flag, value, at, length }: TypedFlag, { name, flags, words, args }: RejectedLine): string[] {
  const bugs = args.toSpliced(at, length);
  if (flag === "status" && CLOSING.test(value) && name === "bug update")
    return ["bug", "close", ...bugs, ...onlyFlags(words, flags)];
  const isClosed = flag === "resolution" && flagNamed("--assigned-to", flags); // of bt bug update
  return [...(isClosed ? ["bug", "close"] : name.split(" ")), ...bugs, `--${flag}`, value, ...onlyFlags(words, flags)];
}

/** A value without a flag among arguments: how many of them it is, from `at` on. */
type TypedFlag = { flag: string; value: string; at: number; length: number };

/**
 * The value without a flag at a place among arguments; undefined for a word that may be a bug. With `isNear` also one behind a
 * misspelt flag, and a word for closed bugs.
 */
function typedFlag(args: Words, at: number, flags: CommandFlag[], isNear = false): TypedFlag | undefined {
  const [word = "", next = ""] = args.slice(at);
  const [, name = word, value = next] = /^([a-z][\w-]*)=(.*)$/s.exec(word) ?? [];
  const typed = name.replaceAll("_", "-");
  const isMeant = (one: string) => one === typed || (isNear && isTypo(typed, one));
  const named = flags.find((flag) => [flag.name, ...(flag.aliases ?? [])].some(isMeant));
  if (named?.value && value && !(name === word && BUG_ID.test(value)))
    return { flag: named.name, value, at, length: name === word ? 2 : 1 };
  const patterns: typeof UNFLAGGED = isNear ? [...UNFLAGGED, ["status", CLOSING]] : UNFLAGGED;
  const found = patterns.find(([flag, pattern]) => flagNamed(`--${flag}`, flags) && pattern.test(word));
  if (found) return { flag: found[0], value: /^[a-z_]+$/.test(word) ? word.toUpperCase() : word, at, length: 1 };
  return undefined;
}

/** Values that have no meaning but that of a flag. */
const UNFLAGGED: [string, RegExp][] = [
  ["resolution", /^(?:fixed|invalid|wontfix|worksforme|incomplete)$/i],
  ["status", /^(?:new|assigned|confirmed|in_progress|reopened|resolved|verified|unconfirmed)$/i],
  ["comment", /\p{L}\s|\s\p{L}/u],
  ["assigned-to", /^(?:@me|[^\s@]+@[^\s@]+\.[a-z]+)$/i],
  ["from", /^(?:@me|[^\s@]+@[^\s@]+\.[a-z]+)$/i],
];

/** Usage error for a value that is not among those of a flag of a verb. */
export function invalidChoiceError(value: string, flag: string, choices: readonly string[], verb: string): BtError {
  const hint = suggestNames(value, choices) ?? `bt ${verb} --help shows valid values`;
  return usageError(`invalid value ${JSON.stringify(value)} for --${flag}`, hint);
}

/** A line with an unknown flag: the name of its command, with the words `before` those of the line, and its flags; all commands if a verb lacks. */
type LineWithFlag = Pick<RejectedLine, "name" | "flags" | "words"> & { before: string[]; tree?: CommandTree };

/** Usage error for a flag that a command does not have, from the words of a line. */
export function unknownFlagError(given: string, line: LineWithFlag): BtError {
  const { name, flags, words, before } = line;
  const word = given.replace(/=.*/s, "");
  const own = flagNamed(word, flags);
  if (own && own.value === undefined)
    return usageError(`${word} takes no value`, `${word} alone turns it on; without ${word} it is off`);
  const names = flags.flatMap((flag) => [flag.name, ...(flag.aliases ?? [])]);
  const edits = EDITS.map((edit) => word.replace("--", `--${edit}-`)).filter((one) => names.includes(one.slice(2)));
  if (edits.length > 1) return ambiguousEditError(word, edits, line);
  const message = `unknown flag ${word} for ${name}`;
  if (flagNamed(word, TRACKER_FLAGS)) {
    const others = withoutFlags([...words], [...TRACKER_FLAGS]).map(shellWord);
    return usageError(message, `${name} uses no tracker: ${["bt", name, ...others].join(" ")}`);
  }
  const search = searchMeant(word, line);
  if (search) return usageError(message, `bt bug search has ${word}`, search);
  const foreign = foreignFlag(word, name, flags, words);
  const setting = foreign ? undefined : CONNECTION_SETTINGS.find(({ flag }) => word === `--${flag}`);
  if (setting !== undefined && !names.includes(setting.flag)) {
    const typed = typedAfter(word, words);
    const value = setting.accepts(typed) ? shellWord(typed) : "VALUE";
    const hint = `bt config set ${setting.name} ${value} sets it, ${setting.variable}=${value} for one command`;
    return usageError(message, hint);
  }
  const plain = word.replace(/^--(?:add|set)-/, "--");
  const meant =
    foreignCommand(`${name} ${word}`, [])?.line ??
    foreign ??
    (names.includes(plain.slice("--".length)) ? plain : undefined) ??
    nearestWords(word.replace(/^-+/, ""), [...names, ...names.map((one) => one.replace(/^add-/, ""))])
      .map((one) => (names.includes(one) ? one : `add-${one}`))
      .filter((one) => !LESS_SAFE.test(one) || isTypo(word, `--${one}`))
      .map((one) => `--${one}`)
      .join(" or ");
  const help = `${name === "bt" ? name : `bt ${name}`} --help lists the flags`;
  const hint = meant ? asHint(meant) : [fieldHint(word, flags, words), help].filter(Boolean).join("; ");
  return usageError(message, hint, meant ? meantWords(meant, word, { name, flags, words, before }) : undefined);
}

/** Flags that lower safety, which are only suggested for a single typo. */
const LESS_SAFE = /^(?:allow|insecure)/;

/** The search that is meant by `bug --status open`, a line without a verb and without bugs. */
function searchMeant(word: string, { name, words, tree }: LineWithFlag): string[] | undefined {
  const verb = tree && name === "bug" ? commandOn(["bug", "search"], tree).verb : undefined;
  if (!tree || !verb) return undefined;
  const own = acceptedFlags(verb);
  if (!flagNamed(word, own) || withoutFlags([...words], own).some((one) => BUG_ID.test(one))) return undefined;
  return completedWords({ line: "bt bug search", rest: words.slice(words.indexOf("bug") + 1) }, tree);
}

/** The words of a line with what is meant by one of its flags: another flag, of several the first, or another command. */
function meantWords(meant: string, word: string, { words, before, flags }: LineWithFlag): string[] | undefined {
  const at = words.findIndex((one) => one === word || one.startsWith(`${word}=`));
  const [typed = "", value = ""] = words.slice(at, at + 2);
  const isJoined = typed.includes("=");
  if (meant.startsWith("-")) {
    const [flag = "", ...fixed] = meant.split(" or ", 1)[0]?.split(" ") ?? [];
    const isReplaced = !isJoined && fixed.length > 0 && TRANSLATED.has(word);
    const joined = isJoined && fixed.length === 0 ? [`${flag}${typed.slice(word.length)}`] : [flag, ...fixed];
    const rest = withWholeText([...joined, ...words.slice(at + (isReplaced ? 2 : 1))], isJoined ? 1 : 2, flags);
    return [...before, ...words.slice(0, at), ...rest];
  }
  const places = meant.split(" ");
  if (!meant.startsWith("bt ") || /[|;]| or |[A-Z]{3}/.test(meant.replace(shellWord(value), ""))) return undefined;
  const others = words.filter((one, place) => place !== at && (isJoined || place !== at + 1) && !places.includes(one));
  const isWhole = (one: string) => onlyFlags(others, flags).includes(one) || !before.includes(one);
  return [...commandLineWords(meant, value), ...others.filter(isWhole)];
}

/** Words that begin with a flag and a value, in the first `length`; in a search, the text of one goes on in plain words: `--summary Release 45`. */
function withWholeText(words: string[], length: number, flags: CommandFlag[]): string[] {
  const isText = flagNamed(words[0]?.replace(/=.*/s, ""), flags)?.value === "<text>" && flagNamed("--where", flags);
  const end = [...words, "-"].findIndex((one, at) => at >= length && !/^[\p{L}\p{N}]+$/u.test(one));
  return isText ? [...words.slice(0, length - 1), words.slice(length - 1, end).join(" "), ...words.slice(end)] : words;
}

/** The words after `bt` of a line of the tables, in which a value is one word. */
function commandLineWords(line: string, value: string): string[] {
  const quoted = shellWord(value);
  const [head = "", ...tail] = value === "" ? [line] : line.split(quoted);
  if (tail.length === 0) return head.split(" ").slice(1);
  return [...head.trimEnd().split(" ").slice(1), value, ...tail.join(quoted).trim().split(" ")].filter(Boolean);
}

/**
 * A refusal of a line with the whole line that may be meant as its hint, if it can run, else with why that cannot. `accepts` is true
 * for words after `bt` that can; what it refuses is mended in turn.
 */
export async function withMeantLine(error: unknown, accepts: (words: string[]) => Promise<boolean>): Promise<unknown> {
  if (!(error instanceof BtError) || / or .*\?$/.test(error.facts.hint ?? "")) return error;
  let words = error.facts.meant;
  for (let left = MAX_MENDED; words !== undefined && left > 0; left--) {
    const next: unknown = await accepts([...words]).catch((caught: unknown) => caught);
    const line = ["bt", ...words].map(shellWord).join(" ");
    if (next === true && !line.includes("\n") && line.length <= MAX_LINE)
      return withFacts(error, { hint: `did you mean ${line}?` });
    words = next instanceof BtError ? next.facts.meant : undefined;
    const hinted = error.facts.hint?.replace(/^did you mean (.*)\?$/, "$1");
    if (next instanceof BtError && words === undefined && hinted && line.startsWith(`${hinted} `))
      return withFacts(error, { details: [`${line} is refused: ${next.message}`], hint: next.facts.hint });
  }
  return error;
}

const MAX_MENDED = 8; // wrong words in one line
const MAX_LINE = 2000; // characters

/** Hint for a flag that may be a field of the tracker, where a command sets such fields or searches for them. */
function fieldHint(word: string, flags: CommandFlag[], words: Words): string | undefined {
  if (!word.startsWith("--") || /^--(?:add|remove|set)-|^--(?:limit|offset|sort|order|count|by)$/.test(word))
    return undefined;
  const field = word.slice("--".length);
  const value = typedAfter(word, words);
  const without = field.replace(/^(?:not?|exclude)-/, "");
  if (without !== field && flagNamed(`--${without}`, flags) && value !== "")
    return `a term excludes a value: ${shellWord(`-${without}:${value}`)}`;
  const isSet = flags.some(({ name, value: form }) => name === "field" && form?.includes("="));
  if (isSet) return `if the tracker has such a field, it is set by --field ${shellWord(`${field}=${value}`)}`;
  const isTerm = flags.some(({ name }) => name === "where") && value !== "" && !value.startsWith("-");
  return isTerm ? `if the tracker has such a field, a term searches it: ${shellWord(`${field}:${value}`)}` : undefined;
}

/** The value after a flag in the words of a line; empty if there is none. */
function typedAfter(word: string, words: Words): string {
  const at = words.findIndex((one) => one === word || one.startsWith(`${word}=`));
  const [flag = "", next = ""] = at < 0 ? [] : words.slice(at);
  return flag.includes("=") ? flag.slice(word.length + 1) : next;
}

/** Replacement of a flag of the table: of several flags, the first that the command has. */
function foreignFlag(word: string, name: string, flags: CommandFlag[], words: Words): string | undefined {
  const spellings = [word, word.replace(/(?<=\w)-/g, "_")];
  const keys = [...spellings.map((one) => `${name} ${one}`), name, ...spellings];
  const [meant, ...others] = keys.filter((key) => Object.hasOwn(FOREIGN_FLAGS, key)).map((key) => FOREIGN_FLAGS[key]);
  const value = typedAfter(word, words);
  if (typeof meant === "string") {
    const [bug = "BUG", original = "ORIGINAL"] = words.filter((one) => BUG_ID.test(one));
    const [flag = word] = others.flat();
    const filled = (CLOSING.test(value) ? meant.replace(" --as VALUE", "") : meant)
      .replace("BUG", bug)
      .replace("ORIGINAL", original)
      .replace("FLAG", flag);
    return value === "" ? filled : filled.replaceAll("VALUE", shellWord(value));
  }
  const isOwn = (flag = "") => flag === "--version" || flagNamed(flag, flags) !== undefined;
  const all = meant?.find((flag) => isOwn(flag.split(" ", 1)[0]));
  const found = (/\s/.test(value) && all?.split(" or ").find((flag) => PROSE.has(flag))) || all;
  if (word === "--page" && found) return pageMeant(value, flags, words);
  const resolution = found === "--resolution" ? valueMeant("resolution", value) : undefined;
  if (resolution !== undefined) return `--resolution ${resolution}`;
  return found === "--status" && AFTER_AT.test(value) ? stateMeant(value.toLowerCase(), name, words) : found;
}

/** Meaning of `open`, `closed` and `all` as a status: in a search all such statuses, in an update of a bug another verb. */
function stateMeant(state: string, name: string, words: Words): string {
  const verb = { open: "reopen", closed: "close" }[state];
  const bug = words.find((one) => BUG_ID.test(one));
  if (name !== "bug update") return `--status @${state}`;
  return verb && bug ? `bt bug ${verb} ${bug}` : "--status";
}

/** The flags of a page, from 1: as many bugs as the line limits them to, else 20, behind those of the pages before. */
function pageMeant(page: string, flags: CommandFlag[], words: Words): string {
  const limit = flagsOnLine(words, flags).findLast(({ flag }) => flag.name === "limit")?.value;
  const offset = (Number(page) - 1) * Number(limit ?? 20);
  if (!/^[1-9]\d*$/.test(page) || !Number.isSafeInteger(offset)) return "the second 20 bugs: --limit 20 --offset 20";
  return `${limit === undefined ? "--limit 20 " : ""}--offset ${offset}`;
}

/** Flags of texts, which are the only ones meant by a value with blanks. */
const PROSE: ReadonlySet<string> = new Set(["--comment", "--description"]);

/** Hint with commands or flags as a question, and with a sentence as it is. */
function asHint(meant: string): string {
  return /^(?:bt |-)/.test(meant) ? `did you mean ${meant}?` : meant;
}

const EDITS = ["add", "remove", "set"];

/**
 * Usage error for a list that was given a plain value: other tools add it; with the flags that edit the list otherwise. Signs of
 * items count as in python-bugzilla, up to the next one: of `+crash,-perf,ui` the last two are removed.
 */
function ambiguousEditError(word: string, edits: string[], { words, before }: LineWithFlag): BtError {
  const typed = typedAfter(word, words);
  const items = new Map<string, string[]>(); // by the flag that edits them
  let [flag = ""] = edits;
  for (const item of typed.split(",")) {
    const verb = SIGNED[item[0] ?? ""];
    flag = edits.find((edit) => verb && edit.startsWith(verb)) ?? flag;
    const same = items.get(flag) ?? [];
    items.set(flag, [...same, verb ? item.slice(1) : item]);
  }
  const bare = [...items.values()].flat().join(",");
  const others = edits.filter((edit) => edit !== flag).map((edit) => `${edit} ${shellWord(bare)}`);
  const message = `${word} is ambiguous for a list`;
  if (bare === "") return usageError(message, [`${flag} ''`, ...others].join(", or "));
  const meant = [...items].flatMap(([edit, some]) => [edit, some.join(",")]);
  const at = words.findIndex((one) => one === word || one.startsWith(`${word}=`));
  const rest = words.slice(at + (words[at] === word ? 2 : 1));
  const error = usageError(message, meant.join(" "), [...before, ...words.slice(0, at), ...meant, ...rest]);
  return items.size > 1 ? error : withFacts(error, { details: [`otherwise ${others.join(" or ")}`] });
}

/** Flags by the signs of python-bugzilla: `--cc=-mei@example.org`. */
const SIGNED: Record<string, string> = { "+": "--add", "-": "--remove", "=": "--set" };

/** Usage error for the first of these words, in the place of a verb, of a noun if there is one. */
export function unknownCommandError([word = "", ...rest]: Words, noun: Noun | undefined, tree: CommandTree): BtError {
  const name = noun ? `bt ${noun.name}` : "bt";
  const commands = noun?.verbs ?? [...tree.nouns, ...tree.verbs.filter(isListed)];
  const near = nearCommand(word, { name, commands });
  const more = rest.map((one) => [FOREIGN_FLAGS[`${word} ${one}`] ?? one].flat()[0] ?? one);
  const likely = swappedWords([word, ...more], noun, tree) ?? likelyCommand(word, more, name, tree);
  const meant = likely ?? (near ? withVerb(near, more, tree) : undefined);
  const line = meant?.line;
  const whole = likely && line === "bt bug search" ? `${line} is:open` : line; // which needs a criterion
  const hint = whole ? asHint(whole) : `${name} --help lists the commands`;
  return usageError(`unknown command "${name} ${word}"`, hint, meant && completedWords(meant, tree));
}

/** A similar command; of a noun with the verb that follows. */
function withVerb(near: string, rest: Words, tree: CommandTree): Meant {
  const { noun, verb } = commandOn([...near.split(" ").slice(1), rest[0] ?? ""], tree);
  return noun && verb && near === `bt ${noun.name}`
    ? { line: `${near} ${verb.name}`, rest: rest.slice(1) }
    : { line: near, rest };
}

/** A suggestion, and the words after those that it stands for. */
type Meant = { line: string; rest: Words };

/** The words of a suggestion with the other words of the line; undefined if it is no command, or a part of it is a place. */
function completedWords({ line, rest }: Meant, tree: CommandTree): string[] | undefined {
  if (!/^bt (?!admin)[^A-Z;]+$/.test(line) || line.includes(" or ")) return undefined;
  const words = line.split(" ").slice(1);
  const { verb } = commandOn(words, tree);
  if (verb === undefined) return [...words, ...rest];
  const flags = acceptedFlags(verb);
  const [status = "", ...others] = rest;
  if (words.at(-1) === "--status" && CLOSING.test(status)) return ["bug", "close", ...words.slice(2, -1), ...others];
  for (const word of rest) words.push(ownValue(word, words.at(-1), flags));
  if (/^bug (?:search|list)$/.test(words.join(" "))) words.push("is:open"); // which needs a criterion
  return words;
}

/** A verb before its noun, a noun too many, or a bug before what is done to it: `update bug 44`, `bug comment add 44`, `bug 44 close`. */
function swappedWords([word = "", next = "", ...more]: Words, noun: Noun | undefined, tree: CommandTree) {
  const isVerb = (one: string, of: string) =>
    /^[a-z]/.test(one) && (commandOn([of, one], tree).verb ?? FOREIGN_COMMANDS[`${of} ${one}`]) !== undefined;
  const own = noun?.name ?? "bug";
  if (BUG_ID.test(word)) return isVerb(next, own) ? { line: `bt ${own} ${next}`, rest: [word, ...more] } : undefined;
  const [verb, named] = noun ? [next, nounNamed(word, tree)] : [word, nounNamed(next, tree)];
  if (named === undefined || named === noun || !isVerb(verb, named.name)) return undefined;
  return { line: `bt ${named.name} ${verb}`, rest: more };
}

/** The noun of a word, which may be in the plural, or what other tools have. */
function nounNamed(word: string, { nouns }: CommandTree): Noun | undefined {
  const one = word
    .toLowerCase()
    .replace(/s$/, "")
    .replace(/^(?:issue|ticket)$/, "bug");
  return nouns.find((noun) => isCalled(noun, one));
}

/** Flags of other tools whose values may be translated with them: `--reason "not planned"`, `--state open`, `--page 3`. */
const TRANSLATED: ReadonlySet<string> = new Set(["--reason", "--state", "--page"]);

/** Statuses that `bt bug close` sets without a flag. */
const CLOSING = /^(?:closed?|done|resolved)$/i;

/** Statuses that a search takes after an @. */
const AFTER_AT = /^(?:open|closed|all)$/i;

/** A word after a flag; where the flag takes a person, `me` is the user, and as a status searched for, `open` is all that are. */
function ownValue(word: string, before: string | undefined, flags: CommandFlag[]): string {
  const flag = flagNamed(before, flags);
  if (AFTER_AT.test(word) && flag?.name === "status" && flagNamed("--where", flags)) return `@${word.toLowerCase()}`;
  return /^(?:me|self|myself)$/i.test(word) && flag?.completes === "people" ? "@me" : word;
}

/** The most similar command. One that writes is only suggested for a single typo. */
function nearCommand(
  word: string,
  { name, commands }: { readonly name: string; readonly commands: readonly (Noun | Verb)[] },
): string | undefined {
  const names = commands.flatMap((command) =>
    [command.name, ...(command.aliases ?? [])].filter((one) => isReading(command) || isTypo(word, one)),
  );
  const [near] = nearestWords(word, names);
  return near && `${name} ${near}`;
}

/** Suggestion for a bug id in place of a verb, a word of the table, a noun in the plural, or a verb without its noun. */
function likelyCommand(word: string, rest: Words, name: string, tree: CommandTree): Meant | undefined {
  if (BUG_ID.test(word) || COMMENT_NAME.test(word)) return idCommand(word, rest, name, tree);
  const [, first, last] = /^(\d+)(?:-|\.\.)(\d+)$/.exec(word) ?? [];
  if (first !== undefined) return { line: `bt bug search id:${first}..${last}`, rest };
  if (name !== "bt") {
    const foreign = foreignCommand(`${name.slice("bt ".length)} ${word}`, rest);
    return foreign ?? (name === "bt bug" ? foreignCommand(word, rest) : undefined);
  }
  const [next = "", ...more] = rest;
  const foreign = foreignCommand(`${word} ${next}`, more) ?? pluralCommand(word, rest, tree);
  if (foreign ?? foreignCommand(word, rest)) return foreign ?? foreignCommand(word, rest);
  const line = nounlessVerb(word, tree);
  return line === undefined ? undefined : { line, rest };
}

/** The command of a noun in the plural and a verb, or a word of the table for it: `bugs list`, `issues list`. */
function pluralCommand(word: string, [next = "", ...more]: Words, tree: CommandTree): Meant | undefined {
  if (!word.endsWith("s")) return undefined;
  const { noun, verb } = commandOn([word.slice(0, -1), next], tree);
  return noun && verb
    ? { line: `bt ${noun.name} ${verb.name}`, rest: more }
    : foreignCommand(`${word.slice(0, -1)} ${next}`, more);
}

/** The verb of the first noun that has one of this name, else of one that differs by a typo. */
function nounlessVerb(word: string, { nouns }: CommandTree): string | undefined {
  const named = nouns.find((noun) => noun.verbs.some((verb) => isCalled(verb, word)));
  if (named) return `bt ${named.name} ${word}`;
  const verbs = nouns.flatMap((noun) => noun.verbs.filter(isListed).map((verb) => ({ noun, verb })));
  const misspelt = verbs.find(({ verb }) => isTypo(word, verb.name));
  return misspelt && `bt ${misspelt.noun.name} ${misspelt.verb.name}`;
}

/** The replacement of words of the table, with the bug or comment, and the file, that follow them. */
function foreignCommand(words: string, rest: Words): Meant | undefined {
  const line = Object.hasOwn(FOREIGN_COMMANDS, words) ? FOREIGN_COMMANDS[words] : undefined;
  if (line === undefined) return undefined;
  const at = rest.findIndex((word, place) => BUG_ID.test(word) && !/^-[^=]*$/.test(rest[place - 1] ?? ""));
  const isBehind = at > 0 && line.includes("BUG") && !COMMENT_NAME.test(rest[0] ?? "");
  const [next = "", ...more] = isBehind ? [rest[at] ?? "", ...rest.filter((_, place) => place !== at)] : rest;
  if (COMMENT_NAME.test(next) && line.includes("BUG.1")) return { line: line.replace("BUG.1", next), rest: more };
  if (!BUG_ID.test(next) || !line.includes("BUG")) return { line, rest };
  const files = /^(-f|--file)$/.test(more[0] ?? "") ? more.slice(1) : more;
  const isFilled = line.endsWith(" FILE") && files.length > 0;
  const whole = isFilled
    ? { line: line.replace("BUG", next).replace(" FILE", ""), rest: files }
    : { line: line.replace("BUG", next), rest: more };
  return line.includes("BUG.1") ? { ...whole, rest: [] } : whole;
}

const COMMENT_NAME = /^\d+\.\d+$/;
const BUG_ID = /^#?\d+$/;

/** Suggestion for a bug or comment in place of a verb: what is there is shown or changed, or text or a file is added to it. */
function idCommand(id: string, rest: Words, name: string, tree: CommandTree): Meant {
  const isShown = (rest[0] ?? "-").startsWith("-");
  if (name === "bt tag") return { line: `bt tag update ${COMMENT_NAME.test(id) ? id : `${id}.1`} --add`, rest };
  if (COMMENT_NAME.test(id)) return { line: `bt comment get ${id}`, rest };
  if (name === "bt comment") return { line: `bt comment add ${id}${isShown ? "" : " -m"}`, rest };
  if (name === "bt attachment") return { line: `bt attachment ${isShown ? "get" : "add"} ${id}`, rest };
  const [shown, changed] = ["get", "update"].map((verb) => commandOn(["bug", verb], tree).verb);
  const has = (verb: Verb | undefined) => (word: string) =>
    verb && flagNamed(word.replace(/=.*/s, ""), acceptedFlags(verb)) !== undefined;
  if (rest.some((word) => has(changed)(word) && !has(shown)(word))) return { line: `bt bug update ${id}`, rest };
  const end = [...rest, "x"].findIndex((word) => /^[^-#\d]/.test(word));
  return { line: `bt bug get ${id}`, rest: rest.slice(0, end) };
}

/** Rejects help on a word that is neither a command nor a topic. */
export function checkHelpSubject(word: string, tree: CommandTree): void {
  if (Object.hasOwn(TOPICS, word))
    throw usageError(`the help topic ${word} takes no flags or arguments`, `bt help ${word}`);
  const commands = [...tree.nouns, ...tree.verbs.filter(isListed)];
  if (word === "" || word.startsWith("-") || commands.some((command) => isCalled(command, word))) return;
  const subjects = [...commands.map(({ name }) => name), ...Object.keys(TOPICS)];
  const line = nounlessVerb(word, tree);
  const other = line ? `${line} --help` : (foreignCommand(`help ${word}`, []) ?? foreignCommand(word, []))?.line;
  const hint = other ? asHint(other) : suggestNames(word, subjects);
  const error = usageError(`no help topic ${JSON.stringify(word)}`, hint ?? "bt --help lists the commands");
  throw hint
    ? error
    : withDetails(
        error,
        Object.entries(HELP_TOPICS).map((topic) => topic.join(": ")),
      );
}
