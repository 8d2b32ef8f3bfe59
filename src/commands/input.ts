import { type CommandFlag, type FlagMembers, type FlagValue, memberName, wholeNumber } from "../command-flag.ts";
import { type BtError, usageError } from "../errors.ts";
import type { COMMON_FLAGS, TRACKER_FLAGS } from "../session/flags.ts";
import type { OUTPUT_FLAGS } from "./shared/flags.ts";

/** Input of a verb: its arguments, a member for each flag, and the flags of parameters by name. */
export type InputOf<Flags extends readonly CommandFlag[] = readonly []> = SharedInput &
  FlagMembers<Exclude<Flags[number], ParameterFlag>> & {
    readonly parameters: ParameterMembers<Extract<Flags[number], ParameterFlag>>;
  };

/** A flag of a parameter of the interface. */
type ParameterFlag = { parameter: string };

type ParameterMembers<Flag extends CommandFlag> = {
  readonly [F in Flag as string extends F["name"] ? never : F["name"]]?: FlagValue<F> | undefined;
};

/** Members of every input: arguments, and the flags that most verbs share. */
export type SharedInput = { args: string[] } & Partial<
  FlagMembers<(typeof TRACKER_FLAGS | typeof OUTPUT_FLAGS | typeof COMMON_FLAGS)[number]>
>;

/** Input of any verb; the types of its function name the members of its own flags. */
export type ParsedInput = SharedInput & {
  dryRun?: boolean;
  missing?: BtError; // the error of a command line without bugs, which can be picked on a terminal
  named?: CommandFlag[]; // flags that were given a person who is not an address
};

/**
 * Input of a verb from its arguments and the texts that were given for each of its flags.
 * @throws BtError of kind usage for an invalid number, and for two values of a flag with a value
 * that is written
 */
export function inputFrom(textsByFlag: ReadonlyMap<CommandFlag, string[]>, args: string[]): ParsedInput {
  const parameters: Record<string, unknown> = {};
  const members: Record<string, unknown> = { parameters };
  for (const [flag, texts] of textsByFlag) {
    const { name } = flag;
    const member = flagMember(flag, texts);
    if (flag.parameter === undefined) members[memberName(name)] = member;
    else if (texts.length > 0) parameters[name] = member;
  }
  const named = [...textsByFlag].flatMap(([flag, texts]) =>
    flag.completes === "people" && texts.some((text) => HAS_NAME.test(text)) ? flag : [],
  );
  return { args, named, ...members };
}

/** A list of people with a name, which has no `@`. */
const HAS_NAME = /(?:^|,)[^@,]+(?:,|$)/;

function flagMember(flag: CommandFlag, texts: string[]): unknown {
  const { name, value, many, least, completes } = flag;
  if (completes === "file" && texts.includes("")) throw usageError(`--${name} is empty`);
  if (value === undefined) return many ? texts.length : texts.length > 0;
  if (many) return texts;
  if (texts.length > 1) checkGivenOnce(flag, texts);
  const last = texts.at(-1);
  return least === undefined || last === undefined ? last : wholeNumber(name, last, least);
}

function checkGivenOnce({ name, group = "", parameter = "" }: CommandFlag, texts: string[]): void {
  const last = texts.at(-1);
  const other = texts.find((earlier) => earlier !== last);
  if (other === undefined || !(WRITTEN_GROUPS.has(group) || SINGLE_CRITERIA.has(parameter))) return;
  const both = `${JSON.stringify(other)} and ${JSON.stringify(last)}`;
  throw usageError(`--${name} is given twice: ${both}`, "give one of them");
}

/** Groups of flags whose values are written; others may be overridden, as in an alias. */
const WRITTEN_GROUPS: ReadonlySet<string> = new Set(["Fields", "Comment", "Content", "Attachment"]);

/** Parameters of a search that have one value. */
const SINGLE_CRITERIA: ReadonlySet<string> = new Set(["creation_time", "last_change_time"]);
