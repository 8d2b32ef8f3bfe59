import { argumentSyntax } from "../commands/line.ts";
import { COMMON_FLAGS, OUTPUT_FLAGS, TRACKER_FLAGS } from "../commands/shared-flags.ts";
import { type CommandFlag, type CommandTree, isListed, type Verb } from "../commands/verb.ts";
import { flagDescription, flagSyntax } from "./flags.ts";

/**
 * Markdown of every command with its flags and examples: the output of `bt help reference`.
 */
export function referencePage(tree: CommandTree): string {
  const nouns = tree.nouns.flatMap((noun) => [
    `### bt ${noun.name}`,
    `${noun.about}${also(noun.aliases)}`,
    ...noun.verbs.filter(isListed).flatMap((verb) => verbLines(`bt ${noun.name} ${verb.name}`, verb)),
  ]);
  const alone = tree.verbs.filter(isListed).flatMap((verb) => verbLines(`bt ${verb.name}`, verb));
  return `${[...nouns, "### Other commands", ...alone, ...commonLines()].join("\n\n")}\n`;
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
    "### Common flags",
    "Commands that connect to a tracker:",
    fenced("text", flagLines(TRACKER_FLAGS)),
    "Commands that print data:",
    fenced("text", flagLines(OUTPUT_FLAGS)),
    "All commands:",
    fenced("text", flagLines(COMMON_FLAGS)),
  ];
}

/** A line per flag, with headings if there are several groups. */
function flagLines(flags: readonly CommandFlag[]): string {
  const groups = [...new Set(flags.map(({ group }) => group))];
  const width = Math.max(...flags.map((flag) => flagSyntax(flag).length));
  return groups
    .flatMap((group) => [
      ...(groups.length > 1 ? [`${group ?? "Other"}:`] : []),
      ...flags
        .filter((flag) => flag.group === group)
        .map((flag) => `  ${flagSyntax(flag).padEnd(width)}  ${flagDescription(flag)}`),
    ])
    .join("\n");
}

function also(aliases: readonly string[] = []): string {
  return aliases.length > 0 ? ` Also: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.` : "";
}

function fenced(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
