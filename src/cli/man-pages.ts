import { SHARED_FLAGS } from "../commands/line.ts";
import { listedFlags } from "../commands/shared/flags.ts";
import { type CommandTree, columnNames, firstSentence, isListed, type Noun, type Verb } from "../commands/verb.ts";
import {
  type Block,
  exampleBlocks,
  FIRST_STEPS,
  flagBlocks,
  PLAIN_LAYOUT,
  pageText,
  rowsBlock,
  textBlocks,
  titledBlock,
  usageBlock,
  verbBlocks,
} from "./help.ts";
import { EXIT_CODE_ROWS, VARIABLES } from "./topics.ts";

/**
 * The manual: bt(1), a page per noun and lone verb; sources by path, "man1/bt-bug.1". `date` as pages show it:
 * "November 22, 2026".
 */
export async function manPages(tree: CommandTree, date: string): Promise<Readonly<Record<string, string>>> {
  const commands = [...tree.nouns, ...tree.verbs.filter(isListed)];
  const pages = [programPage(tree), ...(await Promise.all(commands.map(commandPage)))];
  return Object.fromEntries(pages.map((page) => [`man1/${page.name}.1`, pageSource(page, date)] as const));
}

/** A manual page: its name, its purpose, and its sections by title. */
type ManPage = {
  readonly name: string; // "bt-bug"
  readonly about: string;
  readonly sections: Readonly<Record<string, readonly Block[]>>;
};

function programPage({ sections }: CommandTree): ManPage {
  const commands = sections.map(({ heading, commands: listed }) =>
    rowsBlock(
      listed.map((command) => [`bt-${command.name}(1)`, firstSentence(command)]),
      heading,
    ),
  );
  return {
    name: "bt",
    about: "a command line for Bugzilla",
    sections: {
      DESCRIPTION: [usageBlock("<noun>", "<verb> [flags]"), ...commands],
      OPTIONS: flagBlocks(SHARED_FLAGS),
      ENVIRONMENT: [rowsBlock(VARIABLES)],
      "EXIT STATUS": [rowsBlock(EXIT_CODE_ROWS)],
      EXAMPLES: exampleBlocks(FIRST_STEPS, ""),
    },
  };
}

/** The page of a noun, with a section for each verb, or of a lone verb; bt(1) has the flags that all verbs share. */
async function commandPage(command: Noun | Verb): Promise<ManPage> {
  const { name, about } = command;
  const sections: [string, Block[]][] = [];
  if ("verbs" in command) {
    sections.push(["DESCRIPTION", textBlocks(about)]);
    for (const verb of command.verbs.filter(isListed))
      sections.push([`bt ${name} ${verb.name}`, await verbSection(`${name} ${verb.name}`, verb)]);
  } else sections.push(["DESCRIPTION", await verbSection(name, command)]);
  return { name: `bt-${name}`, about: firstSentence(command), sections: Object.fromEntries(sections) };
}

async function verbSection(command: string, verb: Verb): Promise<Block[]> {
  const shared = new Set(SHARED_FLAGS.map(({ name }) => name));
  const own = listedFlags(verb).filter(({ name }) => !shared.has(name));
  const names = verb.output ? await columnNames(verb.output) : [];
  const columns = textBlocks(names.length > 0 ? `${names.join(", ")}.` : "");
  return [...verbBlocks(command, verb, own), ...columns.map((block) => titledBlock("Columns and JSON keys", block))];
}

/** Source of a manual page, whose sections are texts of `bt help`. @see https://man7.org/linux/man-pages/man7/man.7.html */
function pageSource({ name, about, sections }: ManPage, date: string): string {
  return [
    `.TH ${name.toUpperCase()} 1 "${date}"`,
    ".SH NAME",
    `${escapeRoff(name)} \\- ${escapeRoff(asPhrase(about))}`,
    ...Object.entries(sections).flatMap(([title, blocks]) => {
      const lines = pageText(blocks, { ...PLAIN_LAYOUT, width: TEXT_WIDTH })
        .trimEnd()
        .split("\n");
      return [`.SH ${escapeRoff(title)}`, ".nf", ...lines.map(escapeRoff), ".fi"];
    }),
    "",
  ].join("\n");
}

const TEXT_WIDTH = 72; // of a terminal of 80 columns, on which man indents sections

/** A text without its full stop, in lower case unless it begins with an abbreviation. */
function asPhrase(text: string): string {
  return text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** A line for roff, whose special characters are escaped: also a dot or an apostrophe that begins the line. */
function escapeRoff(line: string): string {
  return line
    .replace(/[\\'`^~-]/g, (character) => ESCAPES[character] ?? character)
    .replace(/[^\t -~]/gu, (sign) => `\\[u${sign.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`)
    .replace(/^(?=\.|\\\(aq)/, "\\&");
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "-": "\\-",
};
