import { rmSync } from "node:fs";
import { dirname } from "node:path";
import type { CommandFlag } from "../command-flag.ts";
import type { Io } from "../io.ts";
import type { SessionFlags } from "../session/flags.ts";
import type { PagedOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { Format, View } from "../view/view.ts";
import type { InputOf, ParsedInput, SharedInput } from "./input.ts";

/** Implementation of a verb; all output goes through the context. */
export type VerbFunction<Input = SharedInput> = (input: Input, context: Context) => Promise<unknown>;

/** An example in help, which a test runs against the demo tracker. */
export type Example = { readonly line: string; readonly about: string };

/** A positional argument; `completes` as in flags. */
export type Argument = {
  readonly name: string;
  readonly many?: boolean;
  readonly optional?: boolean;
  readonly completes?: string;
};

/** Words of a verb's help that are looked up rather than read. */
type DetailTable = {
  readonly heading: string;
  readonly rows: readonly (readonly [term: string, about: string])[];
  readonly isMain?: boolean; // in the short help, too, at its end
};

/** The flags that choose the tracker, where they come from the arguments or a prompt. */
type ConnectsBy<Input> = (input: Input, around: { tree: CommandTree; io: Io }) => Promise<SessionFlags>;

/** A verb of any flags: its help, flags and completions, and a loader for its implementation. */
export type Verb = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly details?: string;
  readonly table?: DetailTable; // below the details
  readonly args?: readonly Argument[];
  readonly flags: () => readonly CommandFlag[]; // made for the verb of a line alone
  readonly mainFlags?: readonly string[]; // shown by --help, most used first; absent: all
  readonly mainTopic?: string; // page of bt help that its help names
  readonly output?: OutputKind; // absent: no formatted data
  readonly offline?: true | "if need be"; // true: needs no tracker; "if need be": works without one
  readonly needs?: "tracker"; // refused where a mirror is read instead
  readonly createsTracker?: boolean; // where a local tracker has no file; default, and with --dry-run: only that of `local:`
  readonly connects?: () => Promise<ConnectsBy<never>>; // absent: by its own flags
  readonly hidden?: boolean; // true: not listed in help
  readonly examples: readonly Example[];
  readonly run: (program: Program) => Promise<VerbFunction<never>>;
};

/** The row of a verb: its function takes the input that its flags give. */
export type VerbRow<Flags extends readonly CommandFlag[] = readonly []> = Omit<Verb, "flags" | "connects" | "run"> & {
  readonly flags: () => Flags;
  readonly connects?: () => Promise<ConnectsBy<InputOf<Flags>>>;
  readonly run: (program: Program) => Promise<VerbFunction<InputOf<Flags>>>;
};

/** Checks the row of a verb against its function, whose input its flags give. */
export function row<const Flags extends readonly CommandFlag[] = readonly []>(verb: VerbRow<Flags>): Verb {
  return verb;
}

/** A noun with its verbs. */
export type Noun = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly verbs: readonly Verb[];
};

/** The command tree: nouns with their verbs, stand-alone verbs, and the sections of `bt --help`. */
export type CommandTree = {
  readonly nouns: readonly Noun[];
  readonly verbs: readonly Verb[];
  readonly sections: readonly HelpSection[];
};

/** A section of `bt --help`. */
export type HelpSection = { readonly heading: string; readonly commands: readonly (Noun | Verb)[] };

/** True for a verb that help lists. */
export function isListed({ hidden }: Verb): boolean {
  return !hidden;
}

export function firstSentence({ about }: Noun | Verb): string {
  return /^.*?\.(?= |$)/.exec(about)?.[0] ?? about;
}

/** The surroundings of a verb: the process, the session of its tracker, and the output. */
export type Context = {
  io: Io;
  session: Session;
  output: Output;
  /** Files with what the user wrote; deleted on success, else named by the error. */
  savedTexts: SavedText[];
};

/** The program around a command, for the few verbs that use other commands. */
export type Program = {
  readonly tree: CommandTree;
  readonly version: string; // of bt
  /** Runs another verb, with a session of its own, on an `Io` of the caller's. */
  readonly run: (verb: Verb, input: ParsedInput, io: Io) => Promise<void>;
};

/** A file with a text of the user, and the flag that takes it, or a line that sends it. */
export type SavedText = { file: string; flag?: string; sends?: string };

/** Deletes the files of texts that were sent. */
export function deleteSavedTexts({ savedTexts }: Context): void {
  for (const { file } of savedTexts.splice(0)) rmSync(dirname(file), { recursive: true, force: true });
}

/** Output of a verb: format, fields if chosen, the view, and the way out. */
export type Output = {
  readonly format: Format; // by default: table on a terminal, else tsv
  readonly isChosen: boolean; // format or fields were chosen
  readonly fields: readonly string[] | undefined;
  readonly view: View;
  /** Opens the output; on a terminal it pages what does not fit. */
  readonly open: () => PagedOutput;
};

/** True if a word is the name or an alias of a command. */
export function isCalled({ name, aliases = [] }: Noun | Verb, word: string): boolean {
  return word === name || aliases.includes(word);
}

/** The topics of `bt help`, and what they are about. */
export const HELP_TOPICS = {
  assistants: "for programs that run bt, and the tools of bt mcp",
  delivery: "what happens after a lost response, and what to do",
  "exit-codes": "exit codes",
  environment: "environment variables and settings",
  flags: "flags that all commands share",
  formats: "output formats",
  offline: "reading from a mirror, and what it refuses",
  query: "the query language",
} as const;

/** A column by its name, or the name alone. */
type Named = string | { readonly name: string };

export const KEY_COLUMNS = ["id", "login", "description", "creation_time", "is_revoked"] as const;

export const ALIAS_COLUMNS = ["name", "command"] as const;

/** The columns of a verb's data by kind, loaded on use; empty where each verb has its own. */
const COLUMNS = {
  bugs: async () => (await import("../wire/bug-fields.ts")).SHOWN_BUG_FIELDS,
  history: async () => (await import("../view/changes.ts")).HISTORY_COLUMNS,
  trees: async () => (await import("../view/bug-tree.ts")).TREE_COLUMNS,
  similar: async () => (await import("../view/bug-columns.ts")).SIMILAR_COLUMNS,
  fields: async () => (await import("../view/fields.ts")).FIELD_COLUMNS,
  values: async () => (await import("../view/fields.ts")).VALUE_COLUMNS,
  comments: async () => (await import("../view/comments.ts")).COMMENT_COLUMNS,
  attachments: async () => (await import("../view/attachments.ts")).ATTACHMENT_COLUMNS,
  tags: async () => (await import("../view/comments.ts")).TAG_COLUMNS,
  groups: async () => {
    const { GROUP_COLUMNS, MEMBER_COLUMNS } = await import("../view/people.ts");
    return [...GROUP_COLUMNS, ...MEMBER_COLUMNS];
  },
  products: async () => (await import("../view/products.ts")).PRODUCT_COLUMNS,
  users: async () => (await import("../view/people.ts")).USER_COLUMNS,
  changes: async () => (await import("../view/changes.ts")).RESULT_COLUMNS,
  settings: async () => [],
  keys: async () => KEY_COLUMNS,
  aliases: async () => ALIAS_COLUMNS,
  jobs: async () => [],
  mirrors: async () => (await import("../view/mirrors.ts")).MIRROR_COLUMNS,
  todo: async () => (await import("../view/todo.ts")).TODO_COLUMNS,
} as const satisfies Readonly<Record<string, () => Promise<readonly Named[]>>>;

/** Kind of a verb's data, which determines the names that `--fields` takes. */
export type OutputKind = keyof typeof COLUMNS;

/** Names that `--fields` takes; [] where each verb has its own. */
export async function columnNames(kind: OutputKind): Promise<readonly string[]> {
  const columns: readonly Named[] = await COLUMNS[kind]();
  return [...new Set(columns.map((column) => (typeof column === "string" ? column : column.name)))];
}
