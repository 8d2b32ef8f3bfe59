import { listedFlags } from "../commands/shared/flags.ts";
import { type CommandTree, columnNames, firstSentence, isListed, type Noun, type Verb } from "../commands/verb.ts";
import {
  type Block,
  FIRST_STEPS,
  flagBlocks,
  type HelpRow,
  pageText,
  rowBlocks,
  texts,
  usageBlock,
  verbBlocks,
} from "./help.ts";
import { EXIT_CODE_ROWS, SHARED_FLAGS, VARIABLES } from "./topics.ts";

/**
 * The manual: bt(1), a page per noun and lone verb; sources by path, "man1/bt-bug.1". `date` as pages show it:
 * "November 22, 2026".
 */
export async function manPages(tree: CommandTree, date: string): Promise<Readonly<Record<string, string>>> {
  const pages = [programPage(tree), ...tree.nouns.map(nounPage), ...tree.verbs.filter(isListed).map(verbPage)];
  return Object.fromEntries(
    (await Promise.all(pages)).map((page) => [`man1/${page.name}.1`, pageSource(page, date)] as const),
  );
}

/** A manual page as its head, and sections of blocks. */
type ManPage = {
  readonly name: string; // "bt-bug"
  readonly about: string;
  readonly sections: Readonly<Record<string, readonly Block[]>>;
};

async function programPage({ sections }: CommandTree): Promise<ManPage> {
  const commands = sections.flatMap(({ heading, commands: listed }) => {
    return rowBlocks(
      heading,
      listed.map((one): HelpRow => [`bt-${one.name}(1)`, firstSentence(one)]),
    );
  });
  return {
    name: "bt",
    about: "a command line for Bugzilla",
    sections: {
      DESCRIPTION: [{ kind: "usage", command: "<noun>", rest: "<verb> [flags]" }, ...commands],
      OPTIONS: flagBlocks(SHARED_FLAGS),
      ENVIRONMENT: [{ kind: "rows", rows: VARIABLES }],
      "EXIT STATUS": [{ kind: "rows", rows: EXIT_CODE_ROWS }],
      EXAMPLES: [{ kind: "commands", examples: FIRST_STEPS }],
    },
  };
}

/** A noun has a section for each of its verbs; bt(1) has the flags that all verbs share. */
async function nounPage(noun: Noun): Promise<ManPage> {
  const verbs = noun.verbs.filter(isListed);
  const sections = verbs.map(async (verb) => {
    const command = `${noun.name} ${verb.name}`;
    return [`bt ${command}`, await verbSection(command, verb)] as const;
  });
  return {
    name: `bt-${noun.name}`,
    about: firstSentence(noun),
    sections: {
      DESCRIPTION: texts(noun.about),
      ...Object.fromEntries(await Promise.all(sections)),
    },
  };
}

async function verbPage(verb: Verb): Promise<ManPage> {
  const sections = { DESCRIPTION: await verbSection(verb.name, verb) };
  return { name: `bt-${verb.name}`, about: firstSentence(verb), sections };
}

async function verbSection(command: string, verb: Verb): Promise<Block[]> {
  const shared = new Set(SHARED_FLAGS.map(({ name }) => name));
  const own = listedFlags(verb).filter(({ name }) => !shared.has(name));
  const names = verb.output ? await columnNames(verb.output) : [];
  const columns: Block[] = [{ kind: "heading", text: "Columns and JSON keys" }, ...texts(`${names.join(", ")}.`)];
  return [usageBlock(command, verb), ...verbBlocks(verb, own), ...(names.length > 0 ? columns : [])];
}

/** Source of a manual page, whose sections are texts of `bt help`. @see https://man7.org/linux/man-pages/man7/man.7.html */
function pageSource({ name, about, sections }: ManPage, date: string): string {
  return [
    `.TH ${name.toUpperCase()} 1 "${date}"`,
    ".SH NAME",
    `${escapeRoff(name)} \\- ${escapeRoff(asPhrase(about))}`,
    ...Object.entries(sections).flatMap(([title, blocks]) => {
      const lines = pageText(blocks, { width: TEXT_WIDTH, heading: (text) => text })
        .trimEnd()
        .split("\n");
      return [`.SH ${escapeRoff(title)}`, ".nf", ...lines.map((line) => escapeRoff(line)), ".fi"];
    }),
    "",
  ].join("\n");
}

const TEXT_WIDTH = 72; // of a terminal of 80 columns, on which man indents sections

/** A text without its full stop, in lower case unless it begins with an abbreviation. */
function asPhrase(text: string): string {
  return text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** A line without characters that a formatter would take for its own, or print as others. */
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
