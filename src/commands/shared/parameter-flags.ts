import { commandFlagName, type Parameter, type ParameterKind } from "../../api/operations/operation.ts";
import type { CommandFlag } from "../../command-flag.ts";

/** The flags of parameters. Most have one; a list that is edited has one for each edit: `--add-cc`, `--remove-cc`. */
export function parameterFlags<P extends Parameter>(parameters: readonly P[], group: string): ParameterFlag<P>[] {
  const flags: CommandFlag[] = [];
  for (const parameter of parameters) {
    const { name, about, kind, short, aliases, field, of }: Parameter = parameter;
    const source = of ?? COMPLETIONS[kind];
    const completes = source === "choices" ? (field ?? name) : source;
    const flag: CommandFlag = {
      name: commandFlagName(name),
      about,
      group,
      parameter: name,
      ...SHAPES[kind],
      ...(completes && { completes }),
      ...(short && { short }),
      ...(aliases && { aliases }),
    };
    if (kind !== "edit" && kind !== "links") flags.push(flag);
    const edits: readonly Edit[] = EDITS[kind as keyof typeof EDITS] ?? [];
    for (const edit of edits) flags.push(editFlag(edit, flag, parameter));
  }
  return flags as ParameterFlag<P>[];
}

/** Flags of all parameters of a write of a bug; help has the comment and its privacy apart. */
export function fieldFlags<P extends Parameter>(parameters: readonly P[]): ParameterFlag<P>[] {
  return parameters.flatMap((parameter) =>
    parameterFlags([parameter], parameter.name.startsWith("comment") ? "Comment" : "Fields"),
  );
}

/** A flag of one of these parameters, with its name and the form of its value. */
export type ParameterFlag<P extends Parameter> = P extends Parameter ? PlainFlag<P> | EditFlag<P> : never;

type PlainFlag<P extends Parameter> = P["kind"] extends "edit" | "links"
  ? never
  : NamedFlag<P, FlagName<P["name"]>> & (typeof SHAPES)[P["kind"]];

type EditFlag<P extends Parameter> = P["kind"] extends keyof typeof EDITS
  ? EachEdit<P, (typeof EDITS)[P["kind"]][number]>
  : never;

type EachEdit<P extends Parameter, E extends Edit> = E extends Edit
  ? NamedFlag<P, `${E}-${FlagName<P["name"]>}`> & typeof LIST_VALUE
  : never;

type NamedFlag<P extends Parameter, Name> = CommandFlag & { name: Name; parameter: P["name"] };

type FlagName<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Head}-${FlagName<Rest>}` : Name;

type Edit = "add" | "remove" | "set";

/** Edits of a list or of a text of tokens, by kind of its parameter. */
const EDITS = {
  edit: ["add", "remove", "set"],
  links: ["add", "remove"],
  tokens: ["add", "remove"],
} as const satisfies Partial<Record<ParameterKind, readonly Edit[]>>;

function editFlag(edit: Edit, flag: CommandFlag, { kind, about, setsPlain, aliases = [] }: Parameter): CommandFlag {
  const singular = flag.name === "alias" ? flag.name : flag.name.replace(/s$/, "");
  const names = kind === "tokens" ? [] : [singular, ...aliases].filter((name) => name !== flag.name);
  const verb = edit === "set" ? "replace all" : edit;
  const plain = edit === "set" && setsPlain ? [flag.name] : [];
  return {
    ...flag,
    ...LIST_VALUE,
    name: `${edit}-${flag.name}`,
    about: kind === "tokens" ? `${edit} words or [bracketed text]` : `${verb} ${about}`,
    aliases: [...names.map((name) => `${edit}-${name}`), ...plain],
  };
}

const LIST_VALUE = { value: "<list>", many: true } as const;

/** Form of the value by kind of parameter. */
const SHAPES = {
  text: { value: "<text>" },
  texts: { value: "<text>", many: true },
  prose: { value: "<text>" },
  choice: { value: "<value>" },
  choices: { value: "<value>", many: true },
  person: { value: "<login>" },
  people: { value: "<login>", many: true },
  int: { value: "<number>", least: 0 },
  ints: { value: "<number>", many: true },
  bug: { value: "<bug>" },
  bugs: { value: "<bug>", many: true },
  pages: { value: "<address>", many: true },
  hours: { value: "<hours>" },
  bool: { value: "<yes|no>" },
  switch: {},
  date: { value: "<date>" },
  datetime: { value: "<time>" },
  edit: LIST_VALUE,
  links: LIST_VALUE,
  tokens: { value: "<text>" },
  flags: { value: "<flag>", many: true },
  privacy: { value: "<id=yes|no>", many: true },
} as const satisfies Record<ParameterKind, Pick<CommandFlag, "value" | "many" | "least">>;

/** Completions by kind of parameter: "choices" are the legal values of its field. */
const COMPLETIONS: Readonly<Partial<Record<ParameterKind, string>>> = {
  choice: "choices",
  choices: "choices",
  person: "people",
  people: "people",
  bug: "bugs",
  bugs: "bugs",
  bool: "bool",
};
