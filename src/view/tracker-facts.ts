import { cardRows } from "./card.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";

/** Something that a tracker has or lacks; `attention` needs action, `unknown` could not be read, `local` is of this machine. */
export type TrackerFact = {
  readonly name: string;
  readonly state: "attention" | "lacks" | "unknown" | "has" | "local";
  readonly summary: string;
  readonly cost?: string | undefined; // of the lack
  readonly hint?: string | undefined; // the next step
};

const STATES: readonly TrackerFact["state"][] = ["attention", "lacks", "unknown", "has", "local"];

/** Facts in the order of their importance: what needs attention first, then what is missing. */
export function sortByImportance(facts: TrackerFact[]): TrackerFact[] {
  return STATES.flatMap((state) => facts.filter((fact) => fact.state === state));
}

/** A line for each fact that says more than a name; the others of a state share one. */
export function factsText(facts: TrackerFact[], view: View): string {
  const rows = facts
    .filter(({ state }) => !isListedFact(state))
    .map(({ state, summary, cost, hint }) => {
      const text = plain(`${summary}${cost ? `: ${cost}` : ""}${hint ? `; ${hint}` : ""}`);
      return { label: state, facts: [state === "attention" ? { text, role: "warn" as const } : { text }] };
    });
  const lists = STATES.filter(isListedFact).map((state) => {
    const text = facts.filter((fact) => fact.state === state).map(({ summary }) => plain(summary));
    return { label: state, facts: [{ text: text.join(", ") }] };
  });
  return cardRows([...rows, ...lists], view);
}

function isListedFact(state: TrackerFact["state"]): boolean {
  return state === "has" || state === "local";
}
