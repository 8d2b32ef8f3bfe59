import { SEARCH_BUGS } from "../../../api/operations/bugs.ts";
import { type CommandFlag, type FlagValues, flagValues } from "../../../command-flag.ts";
import type { InputOf } from "../../input.ts";
import { parameterFlags } from "../parameter-flags.ts";

export const MAIN_CRITERIA = [
  "status",
  "product",
  "component",
  "assigned-to",
  "priority",
  "severity",
  "keywords",
  "where",
];

/** Groups of criteria, with their flags in the order in which a user looks for them. */
const GROUPS = {
  "Criteria, state": "status resolution priority severity keywords flags target-milestone tags",
  "Criteria, place": "product component version platform op-sys",
  "Criteria, people": "assigned-to creator qa-contact cc commenter",
  "Criteria, text": "summary whiteboard url",
  "Criteria, time": "creation-time last-change-time",
  "Criteria, bugs": "id alias blocks depends-on",
  "Criteria, queries": "where quicksearch from-url param",
  Result: "limit offset",
};

/** Criteria flags that are no parameters of the interface. */
const QUERY_FLAGS = [
  { name: "where", value: "<expression>", many: true, about: "query expression (see bt help query)" },
  { name: "from-url", value: "<url>", about: "run the search of a buglist.cgi URL" },
  {
    name: "param",
    value: "<name=value>",
    many: true,
    about: "advanced search parameter: f1=..., o1=..., chfield=...",
  },
] as const satisfies readonly CommandFlag[];

/** The flags that choose bugs by criteria, by their groups in help; those of no group come last. */
export function criteriaFlags() {
  const flags = [...parameterFlags(SEARCH_BUGS.parameters, "Criteria, other"), ...QUERY_FLAGS];
  const listed = Object.entries(GROUPS).flatMap(([group, names]) =>
    names.split(" ").flatMap((name) => flags.filter((flag) => flag.name === name).map((flag) => ({ ...flag, group }))),
  );
  return [...listed, ...flags.filter(({ name }) => !listed.some((flag) => flag.name === name))];
}

/** Criteria flags without --limit and --offset, for verbs that read all matching bugs. */
export function unlimitedCriteriaFlags() {
  return criteriaFlags().filter(
    (flag): flag is Exclude<typeof flag, { name: "limit" | "offset" }> =>
      flag.name !== "limit" && flag.name !== "offset",
  );
}

/** The flag of verbs that read the bugs in an order. */
export const SORT = {
  name: "sort",
  value: "<keys>",
  many: true,
  aliases: ["order", "sort-by"],
  about: "sort order: updated:desc,id or -updated,id (default -id); priority: Highest first",
  group: "Result",
  completes: "sort keys",
} as const satisfies CommandFlag;

/** Criteria of any verb that searches; `sort` and `all` are undefined where it lacks these flags. */
export type CriteriaInput = Omit<InputOf<ReturnType<typeof criteriaFlags>>, "where" | "param"> & {
  readonly where?: readonly string[];
  readonly param?: readonly string[];
  readonly sort?: readonly string[];
  readonly all?: boolean;
};

/** Texts of the criteria flags that were given, by flag. */
export function criteriaTexts({ parameters, where, fromUrl, param }: CriteriaInput): Map<string, readonly string[]> {
  const all: FlagValues = { ...parameters, where, "from-url": fromUrl, param };
  const texts = Object.entries(all).map(([flag, value]) => [flag, flagValues(value)] as const);
  return new Map(texts.filter(([, values]) => values.length > 0));
}
