import { columnNames } from "../commands/columns.ts";
import { listedFlags } from "../commands/shared/flags.ts";
import { type CommandTree, firstSentence, isListed, type Noun, type Verb } from "../commands/verb.ts";
import { EXIT_CODES } from "../errors.ts";
import { FIRST_STEPS, flagBlocks, texts, usageBlock, verbBlocks } from "./command-help.ts";
import { type Block, filledLines, type HelpRow } from "./help-page.ts";
import { possibleExitCodes, SHARED_FLAGS, TOPICS, VARIABLES } from "./topics.ts";

/**
 * The manual: bt(1), a page per noun, lone verb and topic of help; sources in mdoc by path,
 * "man1/bt-bug.1". `date` as pages show it: "November 22, 2026".
 */
export async function manPages(tree: CommandTree, date: string): Promise<Readonly<Record<string, string>>> {
  const pages = await Promise.all([
    programPage(tree),
    ...tree.nouns.map(nounPage),
    ...tree.verbs.filter(isListed).map(verbPage),
    ...Object.entries(TOPICS).map(topicPage),
  ]);
  return Object.fromEntries(
    pages.map((page) => [`man${page.section}/${page.name}.${page.section}`, mdocPage(page, date)]),
  );
}

/** A manual page as its head, and sections of blocks; empty sections are left out. */
type ManPage = {
  readonly name: string; // "bt-bug"
  readonly section: 1 | 7; // 1: a command; 7: a topic
  readonly about: string;
  readonly sections: Readonly<Record<string, readonly Block[]>>;
};

async function programPage({ sections }: CommandTree): Promise<ManPage> {
  const topics = Object.keys(TOPICS).map((name) => reference(name, 7));
  return {
    name: "bt",
    section: 1,
    about: "a command line for Bugzilla",
    sections: {
      SYNOPSIS: [{ kind: "usage", command: "", rest: "<noun> <verb> [flags]" }],
      DESCRIPTION: sections.flatMap(({ heading, commands, brief = [] }): Block[] => [
        { kind: "heading", text: heading },
        {
          kind: "rows",
          rows: [...commands, ...brief].map((command) => [reference(command.name, 1), firstSentence(command)]),
        },
      ]),
      OPTIONS: flagBlocks(SHARED_FLAGS),
      ENVIRONMENT: [{ kind: "rows", rows: VARIABLES }],
      "EXIT STATUS": exitStatus(Object.values(EXIT_CODES).map(({ code }) => code)),
      EXAMPLES: [{ kind: "commands", examples: FIRST_STEPS }],
      "SEE ALSO": texts(topics.join(", ")),
    },
  };
}

/** A noun has a section for each of its verbs; bt(1) has the flags that all verbs share. */
async function nounPage(noun: Noun): Promise<ManPage> {
  const verbs = noun.verbs.filter(isListed);
  const sections = verbs.map(async (verb) => [`bt ${noun.name} ${verb.name}`, await verbSection(verb)] as const);
  return {
    name: `bt-${noun.name}`,
    section: 1,
    about: firstSentence(noun),
    sections: {
      SYNOPSIS: verbs.map((verb) => usageBlock(`${noun.name} ${verb.name}`, verb)),
      DESCRIPTION: texts(noun.about),
      "EXIT STATUS": exitStatus(verbs.flatMap(possibleExitCodes)),
      ...Object.fromEntries(await Promise.all(sections)),
      "SEE ALSO": seeAlso(verbs),
    },
  };
}

async function verbPage(verb: Verb): Promise<ManPage> {
  return {
    name: `bt-${verb.name}`,
    section: 1,
    about: firstSentence(verb),
    sections: {
      SYNOPSIS: [usageBlock(verb.name, verb)],
      DESCRIPTION: await verbSection(verb),
      "EXIT STATUS": exitStatus(possibleExitCodes(verb)),
      "SEE ALSO": seeAlso([verb]),
    },
  };
}

async function verbSection(verb: Verb): Promise<Block[]> {
  const shared = new Set(SHARED_FLAGS.map(({ name }) => name));
  const own = listedFlags(verb).filter(({ name }) => !shared.has(name));
  const names = verb.output ? await columnNames(verb.output) : [];
  const columns: Block[] = [{ kind: "heading", text: "Columns and JSON keys" }, ...texts(`${names.join(", ")}.`)];
  return [...verbBlocks(verb, own), ...(names.length > 0 ? columns : [])];
}

function exitStatus(codes: readonly number[]): Block[] {
  const kinds = Object.values(EXIT_CODES).filter(({ code }) => codes.includes(code));
  return [{ kind: "rows", rows: kinds.map(({ code, about }): HelpRow => [String(code), about]) }];
}

function seeAlso(verbs: readonly Verb[]): Block[] {
  const topics = new Set(verbs.flatMap(({ mainTopic }) => (mainTopic ? reference(mainTopic, 7) : [])));
  return texts(["bt(1)", ...topics].join(", "));
}

async function topicPage([name, read]: [string, (typeof TOPICS)[string]]): Promise<ManPage> {
  const [title, ...blocks] = await read();
  const about = title?.kind === "title" ? title.text : name;
  return { name: `bt-${name}`, section: 7, about, sections: { DESCRIPTION: blocks, "SEE ALSO": seeAlso([]) } };
}

function reference(name: string, section: number): string {
  return `bt-${name}(${section})`;
}

/**
 * Source of a manual page with a date: "November 22, 2026".
 * @see https://mandoc.bsd.lv/man/mdoc.7.html
 */
function mdocPage({ name, section, about, sections }: ManPage, date: string): string {
  const filled = Object.entries(sections).filter(([, blocks]) => blocks.length > 0);
  return [
    `.Dd ${date}`,
    `.Dt ${name.toUpperCase()} ${section}`,
    ".Os",
    ".Sh NAME",
    `.Nm ${name}`,
    `.Nd ${onMacroLine(asPhrase(about))}`,
    ...filled.flatMap(([title, blocks]) => [`.Sh ${onMacroLine(title)}`, ...blocks.flatMap(blockMacros)]),
    "",
  ].join("\n");
}

/** A text without its full stop, in lower case unless it begins with an abbreviation. */
function asPhrase(text: string): string {
  return text.replace(/[.:]$/, "").replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());
}

/** The lines of a block, with a break before a text that stands below another block. */
function blockMacros(block: Block, at: number, blocks: readonly Block[]): string[] {
  const pause = at === 0 || blocks[at - 1]?.kind === "heading" ? [] : [".Pp"];
  switch (block.kind) {
    case "title":
    case "heading":
      return [`.Ss ${onMacroLine(block.text)}`];
    case "usage":
      return [`.Nm "${["bt", block.command].join(" ").trim()}"`, textLine(block.rest)];
    case "text":
      return [...pause, ...sentences(block.text)];
    case "points":
      return [".Bl -dash", ...block.points.flatMap((point) => [".It", ...sentences(point)]), ".El"];
    case "commands": {
      const examples = block.examples.map(({ line, about }) => [
        ...sentences(`${about}:`),
        ...[".Bd -literal -offset indent", textLine(line), ".Ed"],
      ]);
      return examples.flatMap((lines, place) => (place === 0 ? [...pause, ...lines] : [".Pp", ...lines]));
    }
    case "rows":
      return rowMacros(block.rows);
  }
}

function rowMacros(rows: readonly HelpRow[]): string[] {
  const longest = Math.max(...rows.map(([term]) => term.length));
  return [
    `.Bl -tag -width ${Math.min(longest, WIDEST_TERM)}n -compact`,
    ...rows.flatMap(([term, about]) => [`.It Ic "${onMacroLine(term)}"`, ...sentences(about)]),
    ".El",
  ];
}

const WIDEST_TERM = 24; // a longer one has its description below

/** Text as arguments of a macro. */
function onMacroLine(text: string): string {
  return escapeRoff(text).replaceAll('"', "\\(dq");
}

/** Lines of a paragraph, in which each sentence begins a line. */
function sentences(text: string): string[] {
  return text.split(/(?<=[.!?][)"']*)\s+/).flatMap((sentence) => filledLines(sentence, TEXT_WIDTH).map(textLine));
}

/** A line of text; a full stop or an apostrophe at its beginning would be a macro. */
function textLine(line: string): string {
  return escapeRoff(line).replace(/^(?=\.|\\\(aq)/, "\\&");
}

/** Characters that a formatter would take for its own, or print as others. */
function escapeRoff(text: string): string {
  return text
    .replace(/[\\'`^~-]/g, (character) => ESCAPES[character] ?? character)
    .replace(
      /[^\n\t -~]/gu,
      (character) => `\\[u${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
    );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "\\": "\\e",
  "'": "\\(aq",
  "`": "\\(ga",
  "^": "\\(ha",
  "~": "\\(ti",
  "-": "\\-",
};

const TEXT_WIDTH = 64; // an escaped line is longer; mandoc reports those of more than 80 bytes
