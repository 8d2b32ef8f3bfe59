import type { Command } from "commander";
import type { Verb } from "../commands/verb.ts";

/** Adds to a verb's help what commander does not know of: the longer text and the examples. */
export function dressVerb(command: Command, verb: Verb): void {
  if (verb.aliases) command.addHelpText("after", () => `\nAlso: ${verb.aliases?.join(", ")}`);
  if (verb.details) command.addHelpText("after", () => `\n${verb.details}`);
  command.addHelpText("after", () => examplesText(verb));
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
  bt help formats               what goes to a terminal, a pipe, a program`;

function examplesText(verb: Verb): string {
  const width = Math.max(...verb.examples.map((example) => example.line.length));
  const lines = verb.examples.map((example) => `  $ ${example.line.padEnd(width)}   ${example.about}`);
  return `\nExamples:\n${lines.join("\n")}`;
}
