import type { CommandFlag, FlagMembers, FlagValue } from "../session/flags.ts";
import type { COMMON_FLAGS, TRACKER_FLAGS } from "../session/session-flags.ts";
import type { OUTPUT_FLAGS } from "./shared/flags.ts";

/** Input of a verb with these flags: its arguments, a member for each flag, and the flags of parameters by name. */
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
