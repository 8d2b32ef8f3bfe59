import { type Command, Help } from "commander";
import type { Example, Verb } from "../commands/verb.ts";

/** Adds to a verb's help what commander does not know of: the longer text and the examples. */
export function dressVerb(command: Command, verb: Verb): void {
  if (verb.aliases) command.addHelpText("after", () => `\nAlso: ${verb.aliases?.join(", ")}`);
  const width = () => command.configureOutput().getOutHelpWidth?.() ?? USUAL_WIDTH;
  if (verb.details) command.addHelpText("after", () => `\n${filled(verb.details ?? "", width())}`);
  command.addHelpText("after", () => `\nExamples:\n${exampleLines(verb.examples, width()).join("\n")}`);
}

/** Adds to the help of `bt` itself the first steps and where to read on. */
export function dressRoot(root: Command): void {
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

/** Text whose paragraphs are parted by empty lines, filled to a width. */
function filled(text: string, width: number): string {
  const help = new Help();
  return text
    .split("\n\n")
    .map((paragraph) => help.boxWrap(paragraph.replaceAll("\n", " "), Math.min(width, WIDEST)))
    .join("\n\n");
}

/** What an example is good for stands beside it, or above it where there is no room. */
function exampleLines(examples: readonly Example[], width: number): readonly string[] {
  const longest = Math.max(...examples.map(({ line }) => line.length));
  const beside = examples.map(({ line, about }) => `  $ ${line.padEnd(longest)}   ${about}`);
  if (beside.every((line) => line.length <= width)) return beside;
  return examples.flatMap(({ line, about }) => [`  # ${about}`, `  $ ${line}`]);
}

const USUAL_WIDTH = 80;
const WIDEST = 120; // text that is wider is hard to read
