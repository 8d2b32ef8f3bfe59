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

/** Criteria flags that are no parameters of the interface. */
const CRITERIA_FLAGS = [
  {
    name: "where",
    value: "<expression>",
    many: true,
    about: "query expression (see bt help query)",
    group: "Criteria",
  },
  { name: "from-url", value: "<url>", about: "run the search of a buglist.cgi URL", group: "Criteria" },
  {
    name: "param",
    value: "<name=value>",
    many: true,
    about: "advanced search parameter: f1=..., o1=..., chfield=...",
    group: "Criteria",
  },
] as const satisfies readonly CommandFlag[];

/** The flags that choose bugs by criteria, by their groups in help; flags without a group come last. */
export function criteriaFlags() {
  const flags = [...parameterFlags(SEARCH_BUGS.parameters, "Criteria"), ...CRITERIA_FLAGS];
  const others = new Map(flags.map((flag) => [flag.name as string, flag]));
  const grouped: typeof flags = [];
  for (const [group, names] of Object.entries(GROUPS)) {
    for (const name of names.split(" ")) {
      const flag = others.get(name);
      if (flag && others.delete(name)) grouped.push({ ...flag, group } as typeof flag);
    }
  }
  return [...grouped, ...others.values()];
}

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
} as const;

/** Criteria flags without --limit and --offset, for verbs that read all matching bugs. */
export function unlimitedCriteriaFlags() {
  return criteriaFlags().filter((flag): flag is UnlimitedFlag => flag.name !== "limit" && flag.name !== "offset");
}

type UnlimitedFlag = Exclude<ReturnType<typeof criteriaFlags>[number], { name: "limit" | "offset" }>;

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

/** Texts of the criteria flags that were given, by flag. A switch has none: among these flags, it does not compile. */
export function criteriaTexts(input: CriteriaInput): Map<string, readonly string[]> {
  const { where, fromUrl, param } = input;
  const ofParameters: TextValues = input.parameters;
  const others = { where, "from-url": fromUrl, param } satisfies Record<OtherName, TextValues[string]>;
  const texts = new Map<string, readonly string[]>();
  for (const [flag, value] of Object.entries({ ...ofParameters, ...others }))
    if (flagValues(value).length > 0) texts.set(flag, flagValues(value));
  return texts;
}

type TextValues = Readonly<Record<string, Exclude<FlagValues[string], boolean>>>;

type OtherName = (typeof CRITERIA_FLAGS)[number]["name"];
