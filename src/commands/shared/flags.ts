import { SEARCH_BUGS } from "../../api/operations/bugs.ts";
import { flagName, type Operation, type Parameter, type ParameterKind } from "../../api/operations/operation.ts";
import { FORMATS } from "../../view/view.ts";
import type { CommandFlag, Input } from "../verb.ts";

/** Flags of every verb that uses a tracker. */
export const TRACKER_FLAGS: readonly CommandFlag[] = grouped("Tracker", [
  {
    name: "base-url",
    value: "<address>",
    about: "tracker: an http(s) URL, local:, local:/FILE, mirror:NAME or demo:",
    completes: "addresses",
  },
  { name: "profile", short: "P", value: "<name>", about: "use a profile (see bt config)", completes: "profiles" },
  {
    name: "api-key-file",
    value: "<file>",
    about: 'read the API key from a file ("-" for stdin)',
    completes: "file",
  },
  { name: "insecure-files", about: "use a stored key or a mirror even if others can read its file" },
  { name: "insecure", about: "skip TLS certificate verification" },
  { name: "allow-http", about: "allow sending the API key over unencrypted HTTP" },
  { name: "refresh", about: "ignore cached field metadata" },
  { name: "offline", about: "read from the mirror of the tracker (see bt help offline)" },
]);

const NAMES = Object.keys(FORMATS);

/** The flag of every verb that prints JSON. */
export const JQ_FLAG: CommandFlag = {
  name: "jq",
  short: "q",
  value: "<expression>",
  about: "filter the JSON with a jq expression; with --format ndjson line by line",
};

/** Flags of every verb that prints data. */
export const OUTPUT_FLAGS: readonly CommandFlag[] = grouped("Output", [
  { name: "json", about: "print JSON; --json=id,summary selects fields" },
  { name: "format", value: "<format>", about: NAMES.join(", "), choices: NAMES },
  {
    name: "fields",
    short: "f",
    value: "<names>",
    many: true,
    about: "columns or JSON keys to print, separated by commas",
    completes: "field names",
  },
  JQ_FLAG,
  {
    name: "print",
    aliases: ["outputformat"],
    value: "<template>",
    about: "print a line for each item: '%{id} %{summary}'",
  },
  { name: "no-pager", about: "do not use a pager" },
  { name: "utc", about: "print times in UTC" },
]);

/** Flags of every verb. */
export const COMMON_FLAGS: readonly CommandFlag[] = grouped("Common", [
  {
    name: "color",
    value: "<when>",
    about: "use colour: auto, always or never",
    choices: ["auto", "always", "never"],
  },
  { name: "verbose", short: "v", about: "log requests to stderr" },
  { name: "debug", about: "like --verbose, plus response bodies and error causes (keys redacted)" },
]);

/**
 * Flags that a verb shares with others, in addition to its own. A verb that needs the tracker accepts `--offline`, too,
 * to refuse it with the reason.
 */
export function flagsAround({ output, offline, needs }: FlaggedVerb, isListed = true): readonly CommandFlag[] {
  const hasOffline = needs === undefined || !isListed;
  const ofTracker = offline ? [] : TRACKER_FLAGS.filter(({ name }) => name !== "offline" || hasOffline);
  return [...ofTracker, ...(output ? OUTPUT_FLAGS : []), ...COMMON_FLAGS];
}

type FlaggedVerb = { readonly output?: unknown; readonly offline?: unknown; readonly needs?: unknown };

function grouped(group: string, flags: readonly CommandFlag[]): readonly CommandFlag[] {
  return flags.map((flag) => ({ ...flag, group }));
}

/** The flag of verbs that open a page of the tracker. */
export const WEB: CommandFlag = { name: "web", short: "w", about: "open in the browser instead", group: "Result" };

/** The flag of verbs that read the bugs of a running text. */
export const FROM_TEXT: CommandFlag = {
  name: "from-text",
  about: 'read the bugs mentioned in a text ("-" for stdin): bug 12, or its address',
};

/** Flags that read a long text from a file or the editor. */
export function proseFlags(name: string, group: string): readonly CommandFlag[] {
  return [
    {
      name: "body-file",
      short: "F",
      value: "<file>",
      about: `read the ${name} from a file ("-" for stdin)`,
      completes: "file",
      group,
    },
    { name: "editor", short: "e", about: `write the ${name} in your editor`, group },
  ];
}

/** True if such a text is given, in whichever way. */
export function hasProse({ flags }: Pick<Input, "flags">, name: string): boolean {
  return [name, "body-file", "editor"].some((flag) => flags[flag] !== undefined);
}

/** Flags of a parameter. Most have one; a list that is edited has one for each edit: `--add-cc`, `--remove-cc`. */
export function parameterFlags(parameter: Parameter, group: string): readonly CommandFlag[] {
  const { name, about, kind, short, aliases } = parameter;
  const flag: CommandFlag = {
    name: flagName(name),
    about,
    group,
    parameter: name,
    ...KINDS[kind](parameter),
    ...(short ? { short } : {}),
    ...(aliases ? { aliases } : {}),
  };
  const edits = (EDITS[kind] ?? []).map((edit) => editFlag(edit, flag, parameter));
  return kind === "edit" || kind === "links" ? edits : [flag, ...edits];
}

/** Flags of all parameters of a write of a bug. */
export function fieldFlags({ parameters }: Pick<Operation, "parameters">): readonly CommandFlag[] {
  return parameters.flatMap((parameter) =>
    parameterFlags(parameter, parameter.name.startsWith("comment") ? "Comment" : "Fields"),
  );
}

/** Edits of a list or of a text of tokens, by kind of its parameter. */
const EDITS: Readonly<Partial<Record<ParameterKind, readonly Edit[]>>> = {
  edit: ["add", "remove", "set"],
  links: ["add", "remove"],
  tokens: ["add", "remove", "set"],
};

type Edit = "add" | "remove" | "set";

function editFlag(edit: Edit, flag: CommandFlag, { kind, about, setsPlain }: Parameter): CommandFlag {
  const singular = flag.name.replace(/(?<!a)s$/, "");
  const names = [singular, ...(flag.aliases ?? [])].filter((name) => name !== flag.name);
  return {
    ...flag,
    ...(kind === "tokens" && edit !== "set" ? listShape({ name: flag.name }) : {}),
    name: `${edit}-${flag.name}`,
    about: kind === "tokens" ? TOKEN_EDITS[edit] : `${edit === "set" ? "replace all" : edit} ${about}`,
    aliases: [
      ...[...new Set(names)].map((name) => `${edit}-${name}`),
      ...(edit === "set" && setsPlain ? [flag.name] : []),
    ],
  };
}

const TOKEN_EDITS: Readonly<Record<Edit, string>> = {
  add: "add tokens: words or [bracketed text]",
  remove: "remove tokens",
  set: "replace the whole text, even if it begins with + or -",
};

type Shape = { readonly value?: string; readonly many?: boolean; readonly completes?: string };

/** Sources of completions for criteria that take more than the values of their field. */
const SOUGHT: Readonly<Record<string, string>> = { status: "states and statuses" };

/** Numbers that are bugs. */
const BUG_NUMBERS: ReadonlySet<string> = new Set(["id", "blocks", "depends_on"]);

const KINDS: Readonly<Record<ParameterKind, (parameter: Parameter) => Shape>> = {
  text: () => ({ value: "<text>" }),
  texts: ({ of }) => ({ value: "<text>", many: true, ...(of === undefined ? {} : { completes: of }) }),
  prose: () => ({ value: "<text>" }),
  choice: ({ name, field }) => ({ value: "<value>", completes: field ?? name }),
  choices: ({ name, field }) => ({ value: "<value>", many: true, completes: SOUGHT[name] ?? field ?? name }),
  person: () => ({ value: "<login>", completes: "people" }),
  people: () => ({ value: "<login>", many: true, completes: "people" }),
  int: () => ({ value: "<number>" }),
  ints: ({ name }) => ({ value: "<number>", many: true, ...(BUG_NUMBERS.has(name) ? { completes: "bugs" } : {}) }),
  bug: () => ({ value: "<bug>", completes: "bugs" }),
  bugs: () => ({ value: "<bug>", many: true, completes: "bugs" }),
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

function listShape({ name, field, of }: Pick<Parameter, "name" | "field" | "of">): Shape {
  const source = of === "choices" ? (field ?? name) : of;
  return { value: "<list>", many: true, ...(source === undefined ? {} : { completes: source }) };
}

/** The flags that choose bugs by criteria. */
export function criteriaFlags(): readonly CommandFlag[] {
  return [
    ...SEARCH_BUGS.parameters.flatMap((one) => parameterFlags(one, "Criteria")),
    {
      name: "where",
      value: "<expression>",
      many: true,
      about: "query expression, as in search terms (see bt help query)",
      group: "Criteria",
    },
    { name: "from-url", value: "<url>", about: "run the search of a buglist.cgi URL", group: "Criteria" },
    {
      name: "saved",
      value: "<name>",
      about: "run one of your searches saved on the tracker",
      completes: "saved searches",
      group: "Criteria",
    },
    {
      name: "param",
      value: "<name=value>",
      many: true,
      about: "advanced search parameter: f1=..., o1=..., chfield=...",
      group: "Criteria",
    },
  ];
}

/** Criteria flags without --limit and --offset, for verbs that read all matching bugs. */
export function unlimitedCriteria(): readonly CommandFlag[] {
  return criteriaFlags().filter(({ name }) => name !== "limit" && name !== "offset");
}
