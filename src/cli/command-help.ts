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
import {
  type Block,
  exampleLines,
  filledLines,
  type HelpLayout,
  type HelpRow,
  rowLines,
  usageLines,
} from "./help-page.ts";

export type HelpPage = (layout: HelpLayout) => string;

export const FIRST_STEPS: readonly Example[] = [
  { line: "bt bug search is:open --base-url demo:", about: "try it on the demo tracker" },
  { line: "bt auth login ADDRESS", about: "log in to your tracker" },
];

/** `bt --help`: the commands by section, in a screen of 80 columns and 24 lines. */
export function rootHelpPage(tree: CommandTree): HelpPage {
  return (layout) => {
    const sections = tree.sections.map(({ heading, commands, brief }) => {
      const rows = commands.map(commandRow);
      if (brief) rows.push(TOPICS_ROW, [brief.map(({ name }) => name).join(", "), ""]);
      return { heading, rows };
    });
    const lines = [
      ...usageLines("<noun> <verb> [flags]", layout),
      ...(layout.width < NARROW ? stackedLines(sections, layout) : columnLines(sections, layout)),
      ...exampleLines(FIRST_STEPS, layout),
      ...filledLines("bt <noun> <verb> --help shows the flags of a command.", layout.width),
    ];
    return `${lines.join("\n")}\n`;
  };
}

type Section = { heading: string; rows: HelpRow[] };

/** The verbs of a noun, or the beginning of the sentence about a verb. */
function commandRow(command: Noun | Verb): HelpRow {
  if (!("verbs" in command)) return [command.name, /^[^.,:(]+[^.,:( ]/.exec(command.about)?.[0] ?? command.about];
  return [command.name, listedVerbs(command.verbs).join(" ")];
}

function listedVerbs(verbs: readonly Verb[]): string[] {
  return verbs.filter(isListed).map(({ name }) => name);
}

const TOPICS_ROW: HelpRow = ["help", Object.keys(HELP_TOPICS).join(" ")];

const NARROW = 64;

function stackedLines(sections: Section[], { heading, width }: HelpLayout): string[] {
  return sections.flatMap((section) => [heading(section.heading), ...rowLines(section.rows, width)]);
}

function columnLines(sections: Section[], { heading, width }: HelpLayout): string[] {
  const names = sections.flatMap(({ rows }) => rows.map(([name, about]) => (about ? name.length : 0)));
  const wide = Math.max(...names) + 2;
  const indent = " ".repeat(HEADING_WIDTH + wide);
  return sections.flatMap((section) =>
    section.rows.flatMap(([name, about], at) => {
      const head = at === 0 ? section.heading : "";
      const [line = "", ...more] = filledLines(about, width, { first: indent });
      const blanks = " ".repeat(HEADING_WIDTH - head.length);
      return [`${heading(head)}${blanks}${name.padEnd(wide)}${line.trimStart()}`, ...more];
    }),
  );
}

const HEADING_WIDTH = 13; // columns of the longest heading, and of the space behind it

/** `bt bug --help`: the verbs of a noun, and examples of the first ones. */
export function nounHelp(noun: Noun): Block[] {
  const verbs = noun.verbs.filter(isListed);
  const examples = verbs.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, 3);
  return [
    { kind: "usage", command: noun.name, rest: "<verb> [flags]" },
    ...texts(noun.about),
    { kind: "heading", text: "Commands" },
    { kind: "rows", rows: verbs.map((verb): HelpRow => [verb.name, firstSentence(verb)]) },
    ...exampleBlocks(examples),
    ...texts(`bt ${noun.name} <verb> --help shows flags and more examples.`),
  ];
}

/** `bt bug search --help`: what most people use of a verb; all of it with `--help=all`. */
export function verbHelp(command: string, verb: Verb, level: "main" | "all"): Block[] {
  const usage = usageBlock(command, verb);
  if (level === "all") {
    const flags = [...listedFlags(verb), { name: "help", short: "h", about: HELP_ABOUT, group: "Common" }];
    return [usage, ...verbBlocks(verb, flags)];
  }
  const flags = mainFlags(verb);
  const more = moreTexts(command, verb);
  if (verb.mainFlags === undefined) return [usage, ...verbBlocks({ ...verb, aliases: [] }, flags), ...more];
  const { about, table, examples } = verb;
  return [
    usage,
    ...texts(about),
    ...exampleBlocks(examples.slice(0, MAIN_EXAMPLES)),
    ...flagBlocks(flags),
    ...(table?.isMain ? tableBlocks(verb) : []),
    ...more,
  ];
}

const HELP_ABOUT = "show help; --help=all for all flags";
const MAIN_EXAMPLES = 3;

export function usageBlock(command: string, { args = [] }: Verb): Block {
  return { kind: "usage", command, rest: [...args.map(argumentSyntax), "[flags]"].join(" ") };
}

export function verbBlocks(verb: Verb, flags: readonly CommandFlag[]): Block[] {
  const { about, details = "", examples, aliases = [] } = verb;
  const named = aliases.length > 0 ? `Aliases: ${aliases.join(", ")}` : "";
  return [...texts(about, details, named), ...tableBlocks(verb), ...exampleBlocks(examples), ...flagBlocks(flags)];
}

export function texts(...paragraphs: readonly string[]): Block[] {
  const split = paragraphs.flatMap((text) => text.split("\n\n")).filter(Boolean);
  return split.map((text) => ({ kind: "text", text }));
}

function tableBlocks({ table }: Verb): Block[] {
  if (table === undefined) return [];
  const { heading, rows } = table;
  return [
    { kind: "heading", text: heading },
    { kind: "rows", rows },
  ];
}

function exampleBlocks(examples: readonly Example[]): Block[] {
  if (examples.length === 0) return [];
  return [
    { kind: "heading", text: "Examples" },
    { kind: "commands", examples },
  ];
}

function moreTexts(command: string, verb: Verb): Block[] {
  const shared = `bt help flags shows the flags that all commands share${verb.output ? ", such as --json and --fields" : ""}.`;
  const topic = verb.mainTopic ? `, bt help ${verb.mainTopic} the search terms` : "";
  return texts(shared, `bt ${command} --help=all shows all ${listedFlags(verb).length + 1} flags${topic}.`);
}

/** Flags that the short help of a verb shows, "Criteria, people" under "Criteria". */
function mainFlags({ flags, mainFlags: names }: Verb): readonly CommandFlag[] {
  const shown = names ? names.flatMap((name) => flags.find((flag) => flag.name === name) ?? []) : flags;
  return shown.map((flag: CommandFlag) => (flag.group ? { ...flag, group: flag.group.replace(/, .*/, "") } : flag));
}

/** Flags under the headings of their groups, in the order of the first of each. */
export function flagBlocks(flags: readonly CommandFlag[]): Block[] {
  const groups = [...new Set(flags.map(({ group = "Flags" }) => group))];
  return groups.flatMap((text): Block[] => [
    { kind: "heading", text },
    { kind: "rows", rows: flags.filter(({ group = "Flags" }) => group === text).map(flagRow) },
  ]);
}

/** A flag and what it does, with its first alias unless that is a mere variant of its name. */
function flagRow({ name, short, value, about, aliases = [] }: CommandFlag): HelpRow {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  const term = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
  return [term, others[0] ? `${about}; also --${others[0]}` : about];
}
