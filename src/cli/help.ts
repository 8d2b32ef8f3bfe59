import { type Command, Help } from "commander";
import type { CommandTree, Example, Verb } from "../commands/verb.ts";
import { EXIT_CODES } from "../errors.ts";

/** Adds details and examples to the help of a verb. */
export function addVerbHelp(command: Command, verb: Verb): void {
  if (verb.aliases) command.addHelpText("after", () => `\nAlso: ${verb.aliases?.join(", ")}`);
  const width = () => command.configureOutput().getOutHelpWidth?.() ?? USUAL_WIDTH;
  if (verb.details) command.addHelpText("after", () => `\n${filled(verb.details ?? "", width())}`);
  command.addHelpText("after", () => `\nExamples:\n${exampleLines(verb.examples, width()).join("\n")}`);
}

/** Adds the first steps and topics to the help of `bt`. */
export function addRootHelp(root: Command): void {
  root.addHelpText("after", () => FIRST_STEPS);
}

const FIRST_STEPS = `
First steps:
  $ bt --base-url demo: bug search --status CONFIRMED   try it on the demo tracker
  $ bt config set base_url https://bugs.example.org     name your tracker
  $ bt auth login                                       log in to it

Read on:
  bt <noun> <verb> --help       flags and examples of a command
  bt help exit-codes            what the exit code says
  bt help environment           the variables that bt reads
  bt help formats               what goes to a terminal, a pipe, a program
  bt help query                 the language of search terms and --where
  bt help reference             every command with all its flags`;

/** Paragraphs separated by empty lines, wrapped to a width. */
function filled(text: string, width: number): string {
  const help = new Help();
  return text
    .split("\n\n")
    .map((paragraph) => help.boxWrap(paragraph.replaceAll("\n", " "), Math.min(width, WIDEST)))
    .join("\n\n");
}

/** Examples with their description beside them, or above where there is no room. */
function exampleLines(examples: readonly Example[], width: number): readonly string[] {
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  if (beside.every((line) => line.length <= width)) return beside;
  return examples.flatMap(({ line, about }) => [`  # ${about}`, `  $ ${line}`]);
}

const USUAL_WIDTH = 80;
const WIDEST = 120; // wider text is hard to read

/** A page of `bt help <topic>`. */
export type Topic = (tree: CommandTree) => string | Promise<string>;

/** The pages of `bt help <topic>`. */
export const TOPICS: Readonly<Record<string, Topic>> = {
  "exit-codes": exitCodes,
  environment,
  formats,
  query: async () => (await import("./help-pages.ts")).QUERY_TOPIC,
  reference: async (tree) => (await import("./help-pages.ts")).referencePage(tree),
};

function exitCodes(): string {
  const rows = Object.entries(EXIT_CODES).map(
    ([kind, { code, about }]) => `  ${String(code).padStart(3)}  ${kind.padEnd(9)}  ${about}`,
  );
  return [
    "What the exit code says:",
    "",
    ...rows,
    "  130  signal     interrupted (SIGINT); 143 after SIGTERM, 129 after SIGHUP",
    "",
  ].join("\n");
}

const VARIABLES: readonly (readonly [name: string, about: string])[] = [
  ["BT_BASE_URL", "the tracker, as --base-url"],
  ["BT_API_KEY", "the API key for BT_BASE_URL, or for the default profile; sent to no other address"],
  ["BT_AUTH_STYLE", "how BT_API_KEY is shown: auto, header, bearer, query or token"],
  ["BT_PROFILE", "the profile, as --profile"],
  ["BT_PAGER, PAGER", "the program that pages long output; empty or cat for none"],
  ["BT_EDITOR, VISUAL, EDITOR", "the editor for descriptions and comments"],
  ["BT_BROWSER, BROWSER", "the program that opens --web links"],
  ["BT_DEBUG", "any text: as --debug"],
  ["NO_COLOR", "any text: no colour"],
  ["TERM", "dumb: no colour"],
  ["FORCE_COLOR", "any text but 0: colour tables, cards and messages even in a pipe, unless NO_COLOR is set"],
  ["COLUMNS", "the width of the terminal, or of a table in a pipe, from 20 to 1000"],
  ["TZ", "the time zone of shown times"],
  ["HTTPS_PROXY, HTTP_PROXY, NO_PROXY", "the proxy to a tracker on another machine"],
  [
    "XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
    "where settings, cached metadata, the local tracker and journals lie",
  ],
  ["BT_NO_CODE_CACHE", "any text: start without the compiled-code cache"],
  ["BT_NO_TIER_UP_GUARD", "any text: let V8 optimise what reads HTTP, even if the command then ends later"],
];

function environment(): string {
  const rows = VARIABLES.flatMap(([name, about]) => [`  ${name}`, `      ${about}`]);
  return [
    "The variables that bt reads; a flag goes before a variable, a variable before the configuration:",
    "",
    ...rows,
    "",
  ].join("\n");
}

function formats(): string {
  return `What goes out, and how it is chosen:

  On a terminal  a table or card fitted to the width, in colour, with local times, paged when it does not fit.
  In a pipe      one line per thing, fields separated by tabs, nothing cut, times in ISO 8601 UTC. A tab, a line
                 break or a backslash inside a field is written \\t, \\n or \\\\.

  --format table      what a terminal gets, also in a pipe
  --format tsv        what a pipe gets
  --format csv        as RFC 4180 has it, with a heading line
  --format json       an array with the tracker's own names and values (--json is the same)
  --format ndjson     the same, one object a line
  --format markdown   a table to paste into a comment or a page
  --format ids        the numbers only, one a line

  --fields id,summary chooses columns or keys, and only those are fetched. _default, _custom, _extra and _all stand
  for many. ndjson, tsv, csv and ids are written as the pages arrive.
`;
}
