import type { CommandFlag } from "../command-flag.ts";
import { HELP_FLAG } from "../commands/line.ts";
import { listedFlags } from "../commands/shared/flags.ts";
import {
  type Argument,
  type CommandTree,
  type Example,
  firstSentence,
  HELP_TOPICS,
  isListed,
  type Noun,
  type Verb,
} from "../commands/verb.ts";
import { wrap } from "../view/wrap.ts";

export type HelpPage = (layout: HelpLayout) => string;

export const FIRST_STEPS: readonly Example[] = [
  { line: "bt bug search is:open --base-url demo:", about: "try it on the demo tracker" },
  { line: "bt auth login ADDRESS", about: "log in to your tracker" },
];

/** `bt --help`: the commands by section. */
export function rootHelp({ sections }: CommandTree): Block[] {
  return [
    usageBlock("<noun>", "<verb> [flags]"),
    ...textBlocks("A command line for Bugzilla: search, file, change and triage bugs."),
    ...sections.map(({ heading, commands }) => rowsBlock(commands.map(commandRow), heading)),
    rowsBlock([["help", Object.keys(HELP_TOPICS).join(" ")]], "Help"),
    ...exampleBlocks(FIRST_STEPS),
    ...textBlocks("bt <noun> <verb> --help shows the flags of a command."),
  ];
}

/** The name of a command, and the verbs of a noun or the sentence about a verb. */
function commandRow(command: Noun | Verb): HelpRow {
  const verbs = "verbs" in command ? command.verbs.filter(isListed) : [];
  return [command.name, verbs.map(({ name }) => name).join(" ") || firstSentence(command)];
}

/** `bt bug --help`: the verbs of a noun, and examples of the first ones. */
export function nounHelp({ name, about, verbs }: Noun): Block[] {
  const listed = verbs.filter(isListed);
  const rows = listed.map((verb): HelpRow => [verb.name, firstSentence(verb)]);
  return [
    usageBlock(name, "<verb> [flags]"),
    ...textBlocks(about),
    rowsBlock(rows, "Commands"),
    ...exampleBlocks(listed.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, 3)),
    ...textBlocks(`bt ${name} <verb> --help shows flags and more examples.`),
  ];
}

/** `bt bug search --help`: the main examples and flags of a verb; `--help=all` shows all of them. */
export function verbHelp(command: string, verb: Verb, level: "main" | "all"): Block[] {
  if (level === "all") return verbBlocks(command, verb, [...listedFlags(verb), HELP_FLAG]);
  const { about, table, examples, mainFlags } = verb;
  const flags = flagsOfShortHelp(verb);
  const more = moreHelpBlocks(command, verb);
  if (mainFlags === undefined) return [...verbBlocks(command, { ...verb, aliases: [] }, flags), ...more];
  return [
    verbUsage(command, verb),
    ...textBlocks(about),
    ...exampleBlocks(examples.slice(0, MAIN_EXAMPLES)),
    ...flagBlocks(flags),
    ...(table?.isMain ? [rowsBlock(table.rows, table.heading)] : []),
    ...more,
  ];
}

const MAIN_EXAMPLES = 3;

function verbUsage(command: string, { args = [] }: Verb): Block {
  return usageBlock(command, [...args.map(argumentSyntax), "[flags]"].join(" "));
}

function argumentSyntax({ name, many, optional }: Argument): string {
  const inner = `${name}${many ? "..." : ""}`;
  return optional ? `[${inner}]` : `<${inner}>`;
}

/** The whole help of a verb, with these flags. */
export function verbBlocks(command: string, verb: Verb, flags: readonly CommandFlag[]): Block[] {
  const { about, details = "", table, examples, aliases = [] } = verb;
  return [
    verbUsage(command, verb),
    ...textBlocks(about, details, aliases.length > 0 ? `Aliases: ${aliases.join(", ")}` : ""),
    ...(table ? [rowsBlock(table.rows, table.heading)] : []),
    ...exampleBlocks(examples),
    ...flagBlocks(flags),
  ];
}

/** Where the short help of a verb goes on. */
function moreHelpBlocks(command: string, verb: Verb): Block[] {
  const shared = `bt help flags shows the flags that all commands share${verb.output ? ", such as --json and --fields" : ""}.`;
  const topic = verb.mainTopic ? `, bt help ${verb.mainTopic} the search terms` : "";
  return textBlocks(shared, `bt ${command} --help=all shows all ${listedFlags(verb).length + 1} flags${topic}.`);
}

/** Flags that the short help of a verb shows, "Criteria, people" under "Criteria". */
function flagsOfShortHelp({ flags, mainFlags: names }: Verb): readonly CommandFlag[] {
  const own = flags();
  const shown = names ? names.flatMap((name) => own.find((flag) => flag.name === name) ?? []) : own;
  return shown.map((flag: CommandFlag) => (flag.group ? { ...flag, group: flag.group.replace(/, .*/, "") } : flag));
}

/** Flags under the headings of their groups, in the order in which the groups first appear. */
export function flagBlocks(flags: readonly CommandFlag[]): Block[] {
  const groups = [...new Set(flags.map(({ group = "Flags" }) => group))];
  return groups.map((heading) =>
    rowsBlock(flags.filter(({ group = "Flags" }) => group === heading).map(flagRow), heading),
  );
}

/** A flag and what it does, with its first alias unless the alias is the singular of its name. */
function flagRow({ name, short, value, about, aliases = [] }: CommandFlag): HelpRow {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  const term = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
  return [term, others[0] ? `${about}; also --${others[0]}` : about];
}

export type HelpRow = readonly [term: string, about: string];

/** Width of a help page (columns), and how its headings are painted. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** A part of a help page: its lines for a layout. `bt` prints them, the build makes manual pages of them. */
export type Block = (layout: HelpLayout) => readonly string[];

/** A page as text: an empty line between its blocks. */
export function pageText(blocks: readonly Block[], { width, heading }: HelpLayout): string {
  const layout = { width: Math.min(width, WIDEST_TEXT), heading };
  return `${blocks.map((block) => block(layout).join("\n")).join("\n\n")}\n`;
}

const WIDEST_TEXT = 100; // wider text is hard to read

export function titleBlock(title: string): Block {
  return ({ width, heading }) => wrappedLines(`${title}:`, width).map(heading);
}

/** A block below its title; the block alone if the title is empty. */
export function titledBlock(title: string, block: Block): Block {
  return title === "" ? block : (layout) => [...titleBlock(title)(layout), ...block(layout)];
}

/** A block for each paragraph; empty texts have none. */
export function textBlocks(...paragraphs: readonly string[]): Block[] {
  const split = paragraphs.flatMap((text) => text.split("\n\n")).filter(Boolean);
  return split.map((text) => (layout: HelpLayout) => wrappedLines(text, layout.width));
}

/** The usage of a command such as "bug get", with its arguments: "<bug...> [flags]". */
export function usageBlock(command: string, args: string): Block {
  return ({ width, heading }) => {
    const [first = "", ...more] = wrappedLines(`bt ${command} ${args}`, width, " ".repeat(9));
    return [`${heading("Usage:")} ${first.trimStart()}`, ...more];
  };
}

/** Examples with their descriptions beside them, or above all of them if a line is too wide. */
export function exampleBlocks(examples: readonly Example[], title = "Examples"): Block[] {
  if (examples.length === 0) return [];
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const oneLined = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  const block: Block = ({ width }) => {
    if (oneLined.every((line) => line.length <= width)) return oneLined;
    return examples.flatMap(({ line, about }) => [...wrappedLines(`# ${about}`, width, INDENT), `  $ ${line}`]);
  };
  return [titledBlock(title, block)];
}

/** Terms with their descriptions beside them, or below a long one. */
export function rowsBlock(rows: readonly HelpRow[], title = ""): Block {
  const termWidth = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + termWidth + GAP);
  const rowLines = ([term, about]: HelpRow, width: number) => {
    const description = wrappedLines(about, width, indent);
    if (term.length > termWidth) return [...wrappedLines(term, width, INDENT), ...description];
    const [first = "", ...more] = description;
    return [`${`${INDENT}${term}`.padEnd(indent.length)}${first.trimStart()}`.trimEnd(), ...more];
  };
  return titledBlock(title, ({ width }) => rows.flatMap((row) => rowLines(row, width)));
}

const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;

/** Lines of a text, wrapped at blanks, each after the indentation. */
function wrappedLines(text: string, width: number, indent = ""): string[] {
  return wrap(text.trim().replace(/\s+/g, " "), width - indent.length).map((line) => indent + line);
}
