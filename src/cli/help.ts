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
    { kind: "usage", command: "<noun>", rest: "<verb> [flags]" },
    ...texts("A command line for Bugzilla: search, file, change and triage bugs."),
    ...sections.flatMap(({ heading, commands }) => rowBlocks(heading, commands.map(commandRow))),
    ...rowBlocks("Help", [["help", Object.keys(HELP_TOPICS).join(" ")]]),
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
export function nounHelp(noun: Noun): Block[] {
  const verbs = noun.verbs.filter(isListed);
  const examples = verbs.flatMap((verb) => verb.examples.slice(0, 1)).slice(0, 3);
  return [
    { kind: "usage", command: noun.name, rest: "<verb> [flags]" },
    ...texts(noun.about),
    ...rowBlocks(
      "Commands",
      verbs.map((verb): HelpRow => [verb.name, firstSentence(verb)]),
    ),
    ...exampleBlocks(examples),
    ...texts(`bt ${noun.name} <verb> --help shows flags and more examples.`),
  ];
}

/** `bt bug search --help`: what most people use of a verb; all of it with `--help=all`. */
export function verbHelp(command: string, verb: Verb, level: "main" | "all"): Block[] {
  const usage = usageBlock(command, verb);
  if (level === "all") return [usage, ...verbBlocks(verb, [...listedFlags(verb), HELP_FLAG])];
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

const HELP_FLAG = { name: "help", short: "h", about: "show help; --help=all for all flags", group: "Common" };
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
  return table === undefined ? [] : rowBlocks(table.heading, table.rows);
}

export function rowBlocks(heading: string, rows: readonly HelpRow[]): Block[] {
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
  return groups.flatMap((heading) => {
    return rowBlocks(heading, flags.filter(({ group = "Flags" }) => group === heading).map(flagRow));
  });
}

/** A flag and what it does, with its first alias unless that is a mere variant of its name. */
function flagRow({ name, short, value, about, aliases = [] }: CommandFlag): HelpRow {
  const others = /^(add|remove|set)-/.test(name) ? [] : aliases.filter((alias) => `${alias}s` !== name);
  const term = `${short ? `-${short}, ` : ""}--${name}${value ? ` ${value}` : ""}`;
  return [term, others[0] ? `${about}; also --${others[0]}` : about];
}

export type HelpRow = readonly [term: string, about: string];

/** Part of a page of help; `bt` prints it as text, the build as a manual page. */
export type Block =
  | { readonly kind: "title" | "heading" | "text" | "lines"; readonly text: string } // lines: as they are
  | { readonly kind: "usage"; readonly command: string; readonly rest: string } // "bug get", "<bug...> [flags]"
  | { readonly kind: "commands"; readonly examples: readonly Example[] }
  | { readonly kind: "rows"; readonly rows: readonly HelpRow[] };

/** Width of a help page (columns), and the paint of its headings. */
export type HelpLayout = { readonly width: number; readonly heading: (text: string) => string };

export const PLAIN_LAYOUT: HelpLayout = { width: 80, heading: (text) => text };

/** A page as text: an empty line below each block but a heading. */
export function pageText(blocks: readonly Block[], layout: HelpLayout): string {
  const parts = blocks.map((block) => {
    return `${blockLines(block, layout).join("\n")}${block.kind === "heading" ? "\n" : "\n\n"}`;
  });
  return parts.join("").replace(/\n+$/, "\n");
}

function blockLines(block: Block, layout: HelpLayout): readonly string[] {
  const { heading } = layout;
  const width = Math.min(layout.width, WIDEST_TEXT);
  switch (block.kind) {
    case "title":
    case "heading":
      return [heading(filledLines(`${block.text}:`, width).join("\n"))];
    case "text":
      return filledLines(block.text, width);
    case "usage":
      return usageLines(`${block.command} ${block.rest}`, layout);
    case "lines":
      return [block.text];
    case "commands":
      return exampleLines(block.examples, layout);
    case "rows":
      return rowLines(block.rows, width);
  }
}

const WIDEST_TEXT = 100; // wider text is hard to read

function usageLines(usage: string, { width, heading }: HelpLayout): readonly string[] {
  const [first = "", ...rest] = filledLines(`bt ${usage}`, width, " ".repeat(9));
  return [`${heading("Usage:")} ${first.trimStart()}`, ...rest];
}

/** Examples with their descriptions beside them, or above where there is no room. */
function exampleLines(examples: readonly Example[], { width }: HelpLayout): readonly string[] {
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  if (beside.every((line) => line.length <= Math.min(width, WIDEST_TEXT))) return beside;
  return examples.flatMap(({ line, about }) => [...filledLines(`# ${about}`, width, INDENT), `  $ ${line}`]);
}

/** Terms with their descriptions beside them, or below a long one. */
function rowLines(rows: readonly HelpRow[], width: number): readonly string[] {
  const room = Math.min(WIDEST_TERM, Math.max(...rows.map(([term]) => term.length)));
  const indent = " ".repeat(INDENT.length + room + GAP);
  return rows.flatMap(([term, about]) => {
    const below = filledLines(about, width, indent);
    if (term.length > room) return [...filledLines(term, width, INDENT), ...below];
    const [first = "", ...more] = below;
    return [`${`${INDENT}${term}`.padEnd(indent.length)}${first.trimStart()}`.trimEnd(), ...more];
  });
}

const INDENT = "  ";
const GAP = 2;
const WIDEST_TERM = 32;

/** Lines of a text, filled to the width at blanks, after an indentation. */
function filledLines(text: string, width: number, indent = ""): string[] {
  return wrap(text.trim().replace(/\s+/g, " "), width - indent.length).map((line) => indent + line);
}
