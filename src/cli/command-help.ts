import type { CommandFlag } from "../command-flag.ts";
import { HELP_TOPICS } from "../commands/help-topics.ts";
import { argumentSyntax } from "../commands/line.ts";
import { listedFlags } from "../commands/shared/flags.ts";
import { type CommandTree, type Example, firstSentence, isListed, type Noun, type Verb } from "../commands/verb.ts";
import { flagDescription, flagSyntax } from "./flags.ts";
import { commandLines, filledLines, type HelpLayout, type HelpRow, paragraphs, rowLines } from "./help-layout.ts";

export type HelpPage = (layout: HelpLayout) => string;

/** `bt` alone: what it is, and what to type next, with a tracker or without one. */
export async function welcomePage(hasTracker?: () => Promise<boolean>): Promise<HelpPage> {
  const steps = (await hasTracker?.()) ? DAILY_STEPS : FIRST_STEPS;
  return (layout) =>
    joinBlocks([
      filledLines(PURPOSE, layout.width),
      exampleLines(steps, layout).slice(1),
      filledLines("bt --help lists the commands.", layout.width),
    ]);
}

const PURPOSE =
  "bt is a command line for Bugzilla: search, file, change and triage bugs from a terminal, in scripts and in CI.";

const DAILY_STEPS: readonly Example[] = [
  { line: "bt todo", about: "what waits for you" },
  { line: "bt bug search is:open assignee:@me", about: "your open bugs" },
];

/** `bt --help`: the commands by section, in a screen of 80 columns and 24 lines. */
export function rootHelpPage(tree: CommandTree): HelpPage {
  return (layout) => {
    const sections = tree.sections.map(({ heading, commands, brief }) => {
      const rows = commands.map(commandRow);
      if (brief) rows.push(TOPICS_ROW, briefRow(brief));
      return { heading, rows };
    });
    const lines = layout.width < NARROW ? stackedLines(sections, layout) : columnLines(sections, layout);
    const examples = exampleLines(FIRST_STEPS, layout).slice(1);
    const more = filledLines("bt <noun> <verb> --help shows the flags of a command.", layout.width);
    return joinBlocks([[usageLine("<noun> <verb> [flags]", layout), ...lines, ...examples, ...more]]);
  };
}

type Section = { heading: string; rows: HelpRow[] };

/** First commands of a new user. */
export const FIRST_STEPS: readonly Example[] = [
  { line: "bt bug search is:open --base-url demo:", about: "try it on the demo tracker" },
  { line: "bt auth login ADDRESS", about: "log in to your tracker" },
];

/** The verbs of a noun, or the beginning of the sentence about a verb. */
function commandRow(command: Noun | Verb): HelpRow {
  if (!("verbs" in command)) return [command.name, /^[^.,:(]+[^.,:( ]/.exec(command.about)?.[0] ?? command.about];
  return [command.name, joinedCommands(command.verbs.filter(isListed), " ")];
}

const TOPICS_ROW: HelpRow = ["help", Object.keys(HELP_TOPICS).join(" ")];

function briefRow(commands: readonly (Noun | Verb)[]): HelpRow {
  return [joinedCommands(commands, ", "), ""];
}

function joinedCommands(commands: readonly (Noun | Verb)[], separator: string): string {
  return commands.map(({ name }) => name).join(separator);
}

function columnLines(sections: Section[], layout: HelpLayout): string[] {
  const room = HEADING_WIDTH + 2;
  const wide = Math.max(...sections.flatMap(({ rows }) => rows.map(([name, about]) => (about ? name.length : 0)))) + 2;
  return sections.flatMap(({ heading, rows }) => {
    const heads = filledLines(heading, HEADING_WIDTH);
    return rows.flatMap(([name, about], at) => {
      const head = heads[at] ?? "";
      const rest = " ".repeat(room + wide);
      const [line = "", ...more] = filledLines(about, layout.width, { first: rest });
      return [
        `${layout.heading(head)}${" ".repeat(room - head.length)}${name.padEnd(wide)}${line.trimStart()}`,
        ...more,
      ];
    });
  });
}

const HEADING_WIDTH = 11; // a longer heading is filled into the first rows of its section

function stackedLines(sections: Section[], layout: HelpLayout): string[] {
  return sections.flatMap(({ heading, rows }) => [layout.heading(heading), ...rowLines(rows, layout)]);
}

/** `bt bug --help`: the verbs of a noun, and examples of the first ones. */
export function nounHelpPage(noun: Noun): HelpPage {
  return (layout) => {
    const verbs = noun.verbs.filter(isListed);
    const rows = verbs.map((verb): HelpRow => [verb.name, firstSentence(verb)]);
    const examples = verbs.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, 3);
    const more = `bt ${noun.name} <verb> --help shows flags and more examples.`;
    return joinBlocks([
      [usageLine(`${noun.name} <verb> [flags]`, layout)],
      filledLines(noun.about, layout.width),
      [layout.heading("Commands:"), ...rowLines(rows, layout)],
      exampleLines(examples, layout),
      filledLines(more, layout.width),
    ]);
  };
}

/** `bt bug search --help`: what most people use of a verb; all of it with `--help=all`. */
export function verbHelpPage(words: string, verb: Verb, level: "main" | "all"): HelpPage {
  return (layout) => {
    const args = [...(verb.args ?? []).map(argumentSyntax), "[flags]"].join(" ");
    const head = [[usageLine(`${words} ${args}`, layout)], filledLines(verb.about, layout.width)];
    const isShort = level === "main" && verb.mainFlags !== undefined;
    if (verb.details && !isShort) head.push([paragraphs(verb.details, layout)]);
    const examples = exampleLines(isShort ? verb.examples.slice(0, MAIN_EXAMPLES) : verb.examples, layout);
    const flags = level === "all" ? [...allFlags(verb)] : mainFlags(verb).map(inWholeGroup);
    const more = level === "all" ? [] : moreLines(words, verb, layout.width);
    const sections = flagSections(flags, layout);
    (isShort ? sections : head).push(tableTexts(verb, isShort, layout));
    return joinBlocks([...head, examples, ...sections, aliasLines(verb, level), more]);
  };
}

/** The table of a verb, which the short help has only if it is a main one. */
function tableTexts({ table }: Verb, isShort: boolean, layout: HelpLayout): string[] {
  const shown = [table ?? []].flat().filter(({ isMain }) => isMain || !isShort);
  return shown.map(({ heading, rows }) => [layout.heading(`${heading}:`), ...rowLines(rows, layout)].join("\n"));
}

/** A flag under the heading of its whole group: "Criteria" for "Criteria, people". */
function inWholeGroup(flag: CommandFlag): CommandFlag {
  const [group = ""] = (flag.group ?? "").split(", ");
  return group === "" ? flag : { ...flag, group };
}

/** The aliases of a verb, in the page that has everything. */
function aliasLines({ aliases = [] }: Verb, level: "main" | "all"): string[] {
  return level === "all" && aliases.length > 0 ? [`Aliases: ${aliases.join(", ")}`] : [];
}

function moreLines(words: string, verb: Verb, width: number): string[] {
  const shared = `bt help flags shows the flags that all commands share${verb.output ? ", such as --json and --fields" : ""}.`;
  const topic = verb.mainTopic ? `, bt help ${verb.mainTopic} the search terms` : "";
  const all = `bt ${words} --help=all shows all ${allFlags(verb).length} flags${topic}.`;
  return [shared, all].flatMap((sentence) => filledLines(sentence, width));
}

function allFlags(verb: Verb): CommandFlag[] {
  return [...listedFlags(verb), { name: "help", short: "h", about: HELP_ABOUT, group: "Common" }];
}

const HELP_ABOUT = "show help; --help=all for all flags";

/** Own flags of a verb, or those that it names. */
function mainFlags({ flags, mainFlags: names }: Verb): readonly CommandFlag[] {
  return names ? names.flatMap((name) => flags.find((flag) => flag.name === name) ?? []) : flags;
}

const MAIN_EXAMPLES = 3;

/** Flags under the headings of their groups, in the order of the first of each. */
function flagSections(flags: CommandFlag[], layout: HelpLayout): string[][] {
  const groups = [...new Set(flags.map(({ group }) => group ?? "Flags"))];
  return groups.map((group) => {
    const rows = flags
      .filter((flag) => (flag.group ?? "Flags") === group)
      .map((flag): HelpRow => [flagSyntax(flag), flagDescription(flag)]);
    return [layout.heading(`${group}:`), ...rowLines(rows, layout)];
  });
}

/** Examples with their descriptions beside them, or above where there is no room. */
function exampleLines(examples: readonly Example[], layout: HelpLayout): string[] {
  if (examples.length === 0) return [];
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  const isFitting = beside.every((line) => line.length <= layout.width);
  return [layout.heading("Examples:"), ...(isFitting ? beside : commandLines(examples, layout))];
}

function usageLine(usage: string, { width, heading }: HelpLayout): string {
  const [first = "", ...rest] = filledLines(`bt ${usage}`, width, { first: "Usage: ", rest: " ".repeat(9) });
  return [first.replace("Usage:", heading("Usage:")), ...rest].join("\n");
}

/** Blocks of lines with an empty line between them; empty blocks are left out. */
function joinBlocks(blocks: string[][]): string {
  return `${blocks
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")}\n`;
}

const NARROW = 64;
