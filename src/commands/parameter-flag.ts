import { flagName, type Parameter, type ParameterKind } from "../api/parameter.ts";
import type { Flag } from "./verb.ts";

/**
 * The flags that a parameter of the interface gives. Most give one; `cc` of an update gives `--add-cc` and `--remove-cc`,
 * `keywords` also `--set-keywords`, and both `--cc +ada,-bob` for short.
 */
export function parameterFlags(parameter: Parameter, group: string): readonly Flag[] {
  const { name, about, kind, short, aliases } = parameter;
  const shape = KINDS[kind](parameter);
  const flag: Flag = {
    name: flagName(name),
    about: SHORT_FORMS[kind] ? `${about}: ${SHORT_FORMS[kind]}` : about,
    group,
    parameter: name,
    ...shape,
    ...(short ? { short } : {}),
    ...(aliases ? { aliases } : {}),
  };
  return [flag, ...(EDITS[kind] ?? []).map((edit) => editFlag(edit, flag, kind))];
}

/** How the one flag of a list says what is to be done to it. */
const SHORT_FORMS: Readonly<Partial<Record<ParameterKind, string>>> = {
  edit: "+add,-remove,=set",
  links: "+add,-remove",
};

/** What can be done to a list, by the kind of the parameter that holds it. */
const EDITS: Readonly<Partial<Record<ParameterKind, readonly ("add" | "remove" | "set")[]>>> = {
  edit: ["add", "remove", "set"],
  links: ["add", "remove"],
  tokens: ["add", "remove", "set"],
};

const LIST_WORDS = { add: "add these", remove: "remove these", set: "have these instead of all there are" } as const;

const TOKEN_WORDS = {
  add: "add these tokens, each a word or [brackets]",
  remove: "remove these tokens",
  set: "replace all of it, also with a text that begins with + or -",
} as const;

function editFlag(edit: keyof typeof LIST_WORDS, flag: Flag, kind: ParameterKind): Flag {
  const singular = flag.name.replace(/s$/, "");
  const names = [singular, ...(flag.aliases ?? [])].filter((name) => name !== flag.name);
  const { short: _short, ...rest } = flag;
  return {
    ...rest,
    name: `${edit}-${flag.name}`,
    about: (kind === "tokens" ? TOKEN_WORDS : LIST_WORDS)[edit],
    ...(kind === "tokens" && edit !== "set" ? listShape({ name: flag.name }) : {}),
    aliases: [...new Set(names)].map((name) => `${edit}-${name}`),
  };
}

type Shape = { readonly value?: string; readonly many?: boolean; readonly completes?: string };

const KINDS: Readonly<Record<ParameterKind, (parameter: Parameter) => Shape>> = {
  text: () => ({ value: "<text>" }),
  texts: () => ({ value: "<text>", many: true }),
  prose: () => ({ value: "<text>" }),
  choice: ({ name }) => ({ value: "<value>", completes: name }),
  choices: ({ name }) => ({ value: "<value>", many: true, completes: name }),
  person: () => ({ value: "<login>" }),
  people: () => ({ value: "<login>", many: true }),
  int: () => ({ value: "<number>" }),
  ints: () => ({ value: "<number>", many: true }),
  bug: () => ({ value: "<bug>" }),
  bugs: () => ({ value: "<bug>", many: true }),
  pages: () => ({ value: "<address>", many: true }),
  hours: () => ({ value: "<hours>" }),
  bool: () => ({ value: "<yes|no>", completes: "bool" }),
  switch: () => ({}),
  date: () => ({ value: "<date>" }),
  datetime: () => ({ value: "<time>" }),
  edit: (parameter) => listShape(parameter),
  links: (parameter) => listShape(parameter),
  tokens: () => ({ value: "<text>" }),
  flags: () => ({ value: "<flag>", many: true }),
  privacy: () => ({ value: "<id=yes|no>", many: true }),
};

function listShape({ name, of }: Pick<Parameter, "name" | "of">): Shape {
  return { value: "<list>", many: true, ...(of === "choices" ? { completes: name } : {}) };
}
