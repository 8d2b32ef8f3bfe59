import { type BtError, usage } from "../../../errors.ts";

/** A verb that searches by criteria. */
export type SearchVerb = keyof typeof HINTS;

/** Criteria, and flags that make them unnecessary, for the verbs that search. */
const HINTS = {
  search: "--status @open, --limit 20 for the newest bugs, or --all for every bug",
  export: "--status @open, or --all for every bug",
  watch: "is:open component:Editor",
  triage: "is:unconfirmed",
} as const;

/** Error of a search without criteria, with a hint at those of its verb. */
export function noCriteria(verb: SearchVerb): BtError {
  const hint: string = HINTS[verb];
  return usage(`a search requires a criterion${hint.includes("--all") ? " or --all" : ""}`, `bt bug ${verb} ${hint}`);
}
