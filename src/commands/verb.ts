import type { Io } from "../io.ts";
import type { FlagValues } from "../session/flags.ts";
import type { PagedOutput } from "../session/pager.ts";
import type { Session } from "../session/session.ts";
import type { Format, View } from "../view/view.ts";

/** A flag of one verb. Without `value` it is a switch; with `many` it may be given again and gathers its values. */
export type CommandFlag = {
  readonly name: string; // without the dashes
  readonly short?: string;
  readonly aliases?: readonly string[]; // accepted, not listed
  readonly value?: string; // what stands for the value in help: "<login>"
  readonly many?: boolean;
  readonly about: string;
  readonly choices?: readonly string[];
  readonly completes?: string; // the bug field whose values complete it, "file", "bool", or a list of LISTS
  readonly group?: string; // the heading in help
  readonly parameter?: string; // the parameter of the interface that it sets
};

/** What a command line said: words, and flags under their own names as text, lists of text, or true. */
export type Input = {
  readonly args: readonly string[];
  readonly flags: FlagValues;
};

/** What a verb does; whatever it has to say goes out through the context. */
export type VerbFunction = (input: Input, context: Context) => Promise<void>;

/** An example of help: a line that a test runs against the demo tracker, and what it is good for. */
export type Example = { readonly line: string; readonly about: string };

/** What may stand after a verb; `completes` as in flags. */
export type Argument = {
  readonly name: string;
  readonly many?: boolean;
  readonly optional?: boolean;
  readonly completes?: string;
};

/** The flags that choose the tracker of a verb whose words are a command line. */
export type ConnectsBy = (words: readonly string[], tree: CommandTree) => Input["flags"];

/** A verb: everything that help, completion and the reference say of it, and the way to the code that does it. */
export type Verb = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly details?: string;
  readonly args?: readonly Argument[];
  readonly flags: readonly CommandFlag[]; // long ones are getters, made for the one verb that is run
  readonly output?: OutputKind; // absent: the verb has no data to format
  readonly offline?: true | "if need be"; // true: it needs no tracker; "if need be": it makes do without one
  readonly connects?: () => Promise<ConnectsBy>; // absent: by its own flags
  readonly hidden?: boolean; // true: not listed in help
  readonly examples: readonly Example[];
  readonly run: () => Promise<VerbFunction>;
};

/** What the data of a verb is about, which decides the names that `--fields` takes. */
export type OutputKind =
  | "bugs"
  | "history"
  | "fields"
  | "values"
  | "comments"
  | "tags"
  | "groups"
  | "changes"
  | "settings"
  | "jobs";

/** A noun: a list of verbs. */
export type Noun = {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly about: string;
  readonly verbs: readonly Verb[];
};

/** The commands of `bt`: nouns with their verbs, and the verbs that stand alone. */
export type CommandTree = { readonly nouns: readonly Noun[]; readonly verbs: readonly Verb[] };

/** Whether a command only prints data, so that to try it changes nothing; a noun does nothing by itself. */
export function isReading(command: Noun | Verb): boolean {
  if ("verbs" in command) return true;
  return command.output !== undefined && !command.flags.some(({ name }) => name === "dry-run");
}

/** What a verb gets from outside: the process as far as it may be seen, the tracker, and how the reader wants the data. */
export type Context = {
  readonly io: Io;
  readonly tracker: Session;
  readonly output: OutputOptions;
  readonly settings: Settings;
  readonly tree: CommandTree; // the commands themselves, for completion
  /** Files with a text that the person has written; they go when the command ends well, else its error names them. */
  readonly drafts: string[];
  /** A fresh place to write data to; on a terminal it pages what does not fit. */
  readonly sheet: () => PagedOutput;
};

/** What the configuration says where no flag does; the names are those of `bt config`. */
export type Settings = {
  readonly format?: string;
  readonly color?: string;
  readonly pager?: string;
  readonly utc?: boolean;
  readonly fields?: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
  readonly nobody?: readonly string[];
  readonly server_zone?: string;
  readonly product?: string;
  readonly component?: string;
  readonly version?: string;
  readonly op_sys?: string;
  readonly platform?: string;
  readonly editor?: string;
  readonly browser?: string;
};

/** How the reader wants the data: the format when one was named, the fields, and how text is to be shown. */
export type OutputOptions = {
  readonly format: Format | undefined;
  readonly fields: readonly string[] | undefined;
  readonly view: View;
};
