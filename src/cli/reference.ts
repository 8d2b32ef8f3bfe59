import { COMMON_FLAGS, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/globals.ts";
import type { Flag, Tree, Verb } from "../commands/verb.ts";
import { argumentSyntax, flagAbout, flagSyntax } from "./flags.ts";

/** Every command with its flags and examples as Markdown: what `bt help reference` prints, and the end of the README. */
export function reference(tree: Tree): string {
  const nouns = tree.nouns.flatMap((noun) => [
    `### bt ${noun.name}`,
    `${noun.about}${also(noun.aliases)}`,
    ...listed(noun.verbs).flatMap((verb) => verbLines(`bt ${noun.name} ${verb.name}`, verb)),
  ]);
  const alone = listed(tree.verbs).flatMap((verb) => verbLines(`bt ${verb.name}`, verb));
  return `${[...nouns, "### Commands of their own", ...alone, ...commonLines()].join("\n\n")}\n`;
}

function listed(verbs: readonly Verb[]): readonly Verb[] {
  return verbs.filter(({ hidden }) => !hidden);
}

function verbLines(words: string, verb: Verb): readonly string[] {
  const args = (verb.args ?? []).map((arg) => ` ${argumentSyntax(arg)}`).join("");
  const examples = verb.examples.map(({ line, about }) => `# ${about}\n${line}`);
  return [
    `#### ${words}`,
    `\`${words}${args}${verb.flags.length > 0 ? " [flags]" : ""}\``,
    `${verb.about}${also(verb.aliases)}`,
    ...(verb.details ? [verb.details] : []),
    ...(verb.flags.length > 0 ? [fenced("text", flagLines(verb.flags))] : []),
    fenced("sh", examples.join("\n")),
  ];
}

function commonLines(): readonly string[] {
  return [
    "### Flags of many commands",
    "Every command that talks to a tracker:",
    fenced("text", flagLines(TRACKER_FLAGS)),
    "Every command that prints data:",
    fenced("text", flagLines(OUTPUT_FLAGS)),
    "Every command:",
    fenced("text", flagLines(COMMON_FLAGS)),
  ];
}

/** A line for each flag; flags of more than one group stand under the names of their groups. */
function flagLines(flags: readonly Flag[]): string {
  const groups = [...new Set(flags.map(({ group }) => group))];
  const width = Math.max(...flags.map((flag) => flagSyntax(flag).length));
  return groups
    .flatMap((group) => [
      ...(groups.length > 1 ? [`${group ?? "Other"}:`] : []),
      ...flags
        .filter((flag) => flag.group === group)
        .map((flag) => `  ${flagSyntax(flag).padEnd(width)}  ${flagAbout(flag)}`),
    ])
    .join("\n");
}

function also(aliases: readonly string[] = []): string {
  return aliases.length > 0 ? ` Also: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.` : "";
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
