import { SEARCH_BUGS, SEARCH_BUGS_MORE } from "../../api/operations/bugs.ts";
import { parameterFlags } from "../shared-flags.ts";
import type { CommandFlag } from "../verb.ts";

/** The flags that choose bugs by criteria. */
export function criteriaFlags(): readonly CommandFlag[] {
  return [
    ...[...SEARCH_BUGS.parameters, ...SEARCH_BUGS_MORE].flatMap((one) => parameterFlags(one, "Criteria")),
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
      about: "run one of your searches that the tracker keeps",
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

/** Those of verbs for which every bug counts. */
export function unlimitedCriteria(): readonly CommandFlag[] {
  return criteriaFlags().filter(({ name }) => name !== "limit" && name !== "offset");
}
