import type { CommandFlag } from "../command-flag.ts";
import { argumentSyntax } from "../commands/line.ts";
import { listedFlags } from "../commands/shared/flags.ts";
import {
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
    ...texts("A command line for Bugzilla: search, file, change and triage bugs."),
    ...sections.map(({ heading, commands }) => rowsBlock(commands.map(commandRow), heading)),
    rowsBlock([["help", Object.keys(HELP_TOPICS).join(" ")]], "Help"),
    ...exampleBlocks(FIRST_STEPS),
    ...texts("bt <noun> <verb> --help shows the flags of a command."),
  ];
}

/** The verbs of a noun, or the sentence about a verb. */
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
    ...texts(about),
    rowsBlock(rows, "Commands"),
    ...exampleBlocks(listed.flatMap(({ examples }) => examples.slice(0, 1)).slice(0, 3)),
    ...texts(`bt ${name} <verb> --help shows flags and more examples.`),
  ];
}

/** `bt bug search --help`: what most people use of a verb; all of it with `--help=all`. */
export function verbHelp(command: string, verb: Verb, level: "main" | "all"): Block[] {
  if (level === "all") return verbBlocks(command, verb, [...listedFlags(verb), HELP_FLAG]);
  const { about, table, examples, mainFlags } = verb;
  const flags = shownFlags(verb);
  const more = moreTexts(command, verb);
  if (mainFlags === undefined) return [...verbBlocks(command, { ...verb, aliases: [] }, flags), ...more];
  return [
    verbUsage(command, verb),
    ...texts(about),
    ...exampleBlocks(examples.slice(0, MAIN_EXAMPLES)),
    ...flagBlocks(flags),
    ...(table?.isMain ? [rowsBlock(table.rows, table.heading)] : []),
    ...more,
  ];
}

const HELP_FLAG = { name: "help", short: "h", about: "show help; --help=all for all flags", group: "Common" };
const MAIN_EXAMPLES = 3;

function verbUsage(command: string, { args = [] }: Verb): Block {
  return usageBlock(command, [...args.map(argumentSyntax), "[flags]"].join(" "));
}

/** A verb with these flags. */
export function verbBlocks(command: string, verb: Verb, flags: readonly CommandFlag[]): Block[] {
  const { about, details = "", table, examples, aliases = [] } = verb;
  return [
    verbUsage(command, verb),
    ...texts(about, details, aliases.length > 0 ? `Aliases: ${aliases.join(", ")}` : ""),
    ...(table ? [rowsBlock(table.rows, table.heading)] : []),
    ...exampleBlocks(examples),
    ...flagBlocks(flags),
  ];
}

function moreTexts(command: string, verb: Verb): Block[] {
  const shared = `bt help flags shows the flags that all commands share${verb.output ? ", such as --json and --fields" : ""}.`;
  const topic = verb.mainTopic ? `, bt help ${verb.mainTopic} the search terms` : "";
  return texts(shared, `bt ${command} --help=all shows all ${listedFlags(verb).length + 1} flags${topic}.`);
}

/** Flags that the short help of a verb shows, "Criteria, people" under "Criteria". */
function shownFlags({ flags, mainFlags: names }: Verb): readonly CommandFlag[] {
  const shown = names ? names.flatMap((name) => flags.find((flag) => flag.name === name) ?? []) : flags;
  return shown.map((flag: CommandFlag) => (flag.group ? { ...flag, group: flag.group.replace(/, .*/, "") } : flag));
}

/** Flags under the headings of their groups, in the order of the first of each. */
export function flagBlocks(flags: readonly CommandFlag[]): Block[] {
  const groups = [...new Set(flags.map(({ group = "Flags" }) => group))];
  return groups.map((heading) =>
    rowsBlock(flags.filter(({ group = "Flags" }) => group === heading).map(flagRow), heading),
  );
}

/** A flag and what it does, with its first alias unless that is a mere variant of its name. */
function flagRow({ name, short, value, about, aliases = [] }: CommandFlag): HelpRow {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  const term = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
  return [term, others[0] ? `${about}; also --${others[0]}` : about];
}

export type HelpRow = readonly [term: string, about: string];

/** Width of a help page (columns), and the paint of its headings. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** Lines of a page of help; `bt` prints them, the build makes manual pages of them. */
export type Block = (layout: HelpLayout) => readonly string[];

/** A page as text: an empty line between its blocks. */
export function pageText(blocks: readonly Block[], { width, heading }: HelpLayout): string {
  const layout = { width: Math.min(width, WIDEST_TEXT), heading };
  return `${blocks.map((block) => block(layout).join("\n")).join("\n\n")}\n`;
}

const WIDEST_TEXT = 100; // wider text is hard to read

export function titleBlock(title: string): Block {
  return ({ width, heading }) => filledLines(`${title}:`, width).map(heading);
}

/** A block with its title, or the block alone if that is empty. */
export function titled(title: string, block: Block): Block {
  return title === "" ? block : (layout) => [...titleBlock(title)(layout), ...block(layout)];
}

export function texts(...paragraphs: readonly string[]): Block[] {
  const split = paragraphs.flatMap((text) => text.split("\n\n")).filter(Boolean);
  return split.map((text) => (layout: HelpLayout) => filledLines(text, layout.width));
}

/** The usage of "bug get" with "<bug...> [flags]". */
export function usageBlock(command: string, rest: string): Block {
  return ({ width, heading }) => {
    const [first = "", ...more] = filledLines(`bt ${command} ${rest}`, width, " ".repeat(9));
    return [`${heading("Usage:")} ${first.trimStart()}`, ...more];
  };
}

/** Examples with their descriptions beside them, or above where there is no room. */
export function exampleBlocks(examples: readonly Example[], title = "Examples"): Block[] {
  if (examples.length === 0) return [];
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  const lines = (width: number) => {
    if (beside.every((line) => line.length <= width)) return beside;
    return examples.flatMap(({ line, about }) => [...filledLines(`# ${about}`, width, INDENT), `  $ ${line}`]);
  };
  return [titled(title, ({ width }) => lines(width))];
}

/** Terms with their descriptions beside them, or below a long one. */
export function rowsBlock(rows: readonly HelpRow[], title = ""): Block {
  const room = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + room + GAP);
  const lines = ([term, about]: HelpRow, width: number) => {
    const below = filledLines(about, width, indent);
    if (term.length > room) return [...filledLines(term, width, INDENT), ...below];
    const [first = "", ...more] = below;
    return [`${`${INDENT}${term}`.padEnd(indent.length)}${first.trimStart()}`.trimEnd(), ...more];
  };
  return titled(title, ({ width }) => rows.flatMap((row) => lines(row, width)));
}

const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;

/** Lines of a text, filled to the width at blanks, after an indentation. */
function filledLines(text: string, width: number, indent = ""): string[] {
  return wrap(text.trim().replace(/\s+/g, " "), width - indent.length).map((line) => indent + line);
}
