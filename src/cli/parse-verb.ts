import type { CommandFlag } from "../command-flag.ts";
import { inputFrom, type ParsedInput } from "../commands/input.ts";
import { flagNamed, HELP_FLAG } from "../commands/line.ts";
import { shellWord } from "../commands/shared/flags.ts";
import { columnNames, type OutputKind, type Verb } from "../commands/verb.ts";
import type { FlagWord, OtherWord, Word } from "../commands/words.ts";
import { usageError } from "../errors.ts";
import { argumentsError, invalidChoiceError, missingValueError, unknownFlagError } from "./usage-error.ts";

/**
 * The input of a verb from the words of its line, which were read with these flags.
 * @throws BtError of kind usage, with the nearest valid flag, or for an invalid number
 */
export async function parseVerb(
  name: string,
  verb: Verb,
  line: readonly Word[],
  flags: readonly CommandFlag[],
): Promise<ParsedInput> {
  const words = await withColumns(line, verb, flags);
  const textsByFlag = new Map(flags.map((flag): [CommandFlag, string[]] => [flag, []]));
  const args: string[] = [];
  for (const word of words) {
    if (word.kind === "flag") textsByFlag.get(word.flag)?.push(flagText(word, name, flags));
    else args.push(argumentText(word, name, flags));
  }
  const refusal = argumentsError(name, verb, args);
  if (refusal && !lacksBugs(verb, args)) throw refusal;
  const isWrite = flags.some((flag) => flag.name === "dry-run");
  if (isWrite && verb.args?.[0]?.name === "bug") checkBugs(words, args, flags);
  return { ...inputFrom(textsByFlag, args), ...(refusal && { missing: refusal }) };
}

/**
 * The words with the columns after `--json` as a flag of their own: `--json=id,summary` becomes
 * `--json --fields=id,summary`. So does `--json id,summary`, if the argument has a comma or is the
 * name of a column.
 */
async function withColumns(
  words: readonly Word[],
  { output }: Verb,
  flags: readonly CommandFlag[],
): Promise<readonly Word[]> {
  const fields = flagNamed("--fields", flags);
  if (!fields || !output) return words;
  const fieldsWord = (value: string) => ({ kind: "flag", flag: fields, name: "json", value, isApart: false }) as const;
  const bareJson = words.findIndex((word) => isJsonFlag(word) && word.value === undefined);
  const next = bareJson < 0 ? undefined : words[bareJson + 1];
  const isList = next?.kind === "argument" && (await areColumns(next.text, output));
  const replaced = isList ? words.with(bareJson + 1, fieldsWord(next.text)) : words;
  return replaced.flatMap((word) =>
    isJsonFlag(word) && word.value !== undefined ? [{ ...word, value: undefined }, fieldsWord(word.value)] : word,
  );
}

function isJsonFlag(word: Word): word is FlagWord {
  return word.kind === "flag" && word.flag.name === "json";
}

async function areColumns(text: string, output: OutputKind): Promise<boolean> {
  return COLUMN_LIST.test(text) || (await columnNames(output)).includes(text);
}

/** Two or more names; not the numbers of bugs. */
const COLUMN_LIST = /^[a-z_][\w.]*(?:\s*,\s*[\w.]+)+$/i;

/** The value of a flag, "" for a switch. */
function flagText({ flag, name, value, isApart }: FlagWord, verb: string, flags: readonly CommandFlag[]): string {
  if (flag.value === undefined) {
    if (value === undefined) return "";
    throw unknownFlagError(`--${name}`, verb, flags);
  }
  if (value === undefined) throw missingValueError(`--${name}`, verb, flag.choices);
  const [start] = value.split("=");
  if (isApart && flagNamed(start, [...flags, HELP_FLAG])) throw flagAsValueError(name, value);
  if (flag.choices?.includes(value) === false) throw invalidChoiceError(value, name, flag.choices);
  return value;
}

/** The text before a flag was forgotten: it would be lost, and the flag stored in its place. */
function flagAsValueError(flag: string, value: string) {
  return usageError(`--${flag} needs a value, but ${value} is a flag`, `for this text: --${flag}=${shellWord(value)}`);
}

function argumentText({ kind, text }: OtherWord, verb: string, flags: readonly CommandFlag[]): string {
  if (kind === "unknown") throw unknownFlagError(text, verb, flags);
  if (kind === "literal" || !OTHER_DASH.test(text)) return text;
  throw usageError(`${text} begins with another kind of dash`, 'a flag begins with "--"');
}

const OTHER_DASH = /^[\u2010-\u2015\u2212][-\u2010-\u2015\u2212]?\p{L}/u;

/** True if a line lacks arguments, and all of them are bugs. */
function lacksBugs({ args = [] }: Verb, given: readonly string[]): boolean {
  const missing = args.slice(given.length);
  return missing.length > 0 && missing.every(({ name, optional }) => optional || name === "bug" || name === "original");
}

/**
 * Checks that arguments are meant as bugs, not as the rest of a text: `44 -m fixes 45 46`.
 * @throws BtError of kind usage for bugs on both sides of a flag, and for a flag without its dashes
 */
function checkBugs(words: readonly Word[], args: readonly string[], flags: readonly CommandFlag[]): void {
  if (words.some((word) => word.kind === "flag" && word.flag.name === "from-text")) return;
  for (const text of args) {
    const [name = ""] = text.replaceAll("_", "-").split("=");
    if (flagNamed(`--${name}`, flags)) throw usageError(`${text} is not a bug`, `did you mean --${name}?`);
  }
  const first = words.findIndex(({ kind }) => kind === "argument");
  const isStray = (at: number) => at > first && words[at - 1]?.kind === "flag";
  const stray = words.find((word, at) => word.kind === "argument" && isStray(at));
  if (stray?.kind !== "argument") return;
  throw usageError(
    `${stray.text} stands apart from ${args[0]}`,
    "name the bugs together; quote a text of several words",
  );
}
