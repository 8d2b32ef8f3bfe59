import type { CommandFlag } from "../command-flag.ts";
import { newBugFlags } from "../commands/bug/write/flags.ts";
import { argumentSyntax } from "../commands/line.ts";
import { commentedUpdateFlags } from "../commands/shared/changes/write-flags.ts";
import { unlimitedCriteriaFlags } from "../commands/shared/criteria/flags.ts";
import { OUTPUT_FLAGS } from "../commands/shared/flags.ts";
import { type CommandTree, isListed, type Verb } from "../commands/verb.ts";
import { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import { flagDescription, flagSyntax } from "./flags.ts";

/** Markdown of every command with its flags and examples: the output of `bt help reference`. */
export function referencePage(tree: CommandTree): string {
  const nouns = tree.nouns.flatMap((noun) => [
    `### bt ${noun.name}`,
    `${noun.about}${aliasNote(noun.aliases)}`,
    ...noun.verbs.filter(isListed).map((verb) => verbText(`bt ${noun.name} ${verb.name}`, verb)),
  ]);
  const alone = tree.verbs.filter(isListed).map((verb) => verbText(`bt ${verb.name}`, verb));
  return `${[...nouns, "### Other commands", ...alone, ...commonTexts()].join("\n\n")}\n`;
}

function verbText(words: string, verb: Verb): string {
  const args = (verb.args ?? []).map((arg) => ` ${argumentSyntax(arg)}`).join("");
  const about = [`${verb.about}${aliasNote(verb.aliases)}`];
  if (verb.details) about.push(verb.details);
  if (verb.table) about.push(tableList(verb.table));
  let { flags } = verb;
  for (const { verb: other, group, note } of LISTED_ONCE) {
    const names = group().map(({ name }) => name);
    if (words === other || !names.every((name) => flags.some((flag) => flag.name === name))) continue;
    flags = flags.filter(({ name }) => !names.includes(name));
    about.push(note);
  }
  const parts = [`#### \`${words}${args}${verb.flags.length > 0 ? " [flags]" : ""}\``, about.join("\n\n")];
  if (flags.length > 0) parts.push(codeBlock("text", flagLines(flags)));
  return [...parts, codeBlock("sh", exampleTable(verb))].join("\n");
}

/** Flags that several verbs take, and the verb that lists them. */
const LISTED_ONCE = [
  {
    verb: "bt bug search",
    group: unlimitedCriteriaFlags,
    note: "Takes the criteria of `bt bug search`, but for --limit and --offset.",
  },
  {
    verb: "bt bug create",
    group: newBugFlags,
    note: "Takes the flags of `bt bug create`, but for --template, --no-similar and --fail-similar.",
  },
  {
    verb: "bt bug update",
    group: () => commentedUpdateFlags(),
    note: "Takes the flags of `bt bug update` for a comment, a preview, and bulk and conditional updates.",
  },
] as const;

function tableList({ heading, rows }: NonNullable<Verb["table"]>): string {
  return [`${heading}:`, ...rows.map(([term, about]) => `- \`${term}\`: ${about}`)].join("\n");
}

function exampleTable({ examples }: Verb): string {
  const width = Math.max(...examples.map(({ line }) => line.length));
  return examples.map(({ line, about }) => `${line.padEnd(width)}  # ${about}`).join("\n");
}

function commonTexts(): string[] {
  return [
    "### Common flags",
    `Commands that connect to a tracker:\n${codeBlock("text", flagLines(TRACKER_FLAGS))}`,
    `Commands that print data:\n${codeBlock("text", flagLines(OUTPUT_FLAGS))}`,
    `All commands:\n${codeBlock("text", flagLines(COMMON_FLAGS))}`,
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

function aliasNote(aliases: readonly string[] = []): string {
  return aliases.length > 0 ? ` Aliases: ${aliases.map((alias) => `\`${alias}\``).join(", ")}.` : "";
}

function codeBlock(language: string, text: string): string {
  return `\`\`\`${language}\n${text}\n\`\`\``;
}
