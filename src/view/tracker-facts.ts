import { cardRows } from "./card.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";

/** Something that a tracker, or this machine, has or lacks; `attention` needs action, `unknown` could not be found out. */
export type TrackerFact = {
  readonly name: string;
  readonly state: "attention" | "lacks" | "unknown" | "has";
  readonly summary: string;
  readonly cost?: string | undefined; // of the lack
  readonly hint?: string | undefined; // the next step
};

const STATES: readonly TrackerFact["state"][] = ["attention", "lacks", "unknown", "has"];

/** Facts in the order of their importance: what needs attention first, then what is missing. */
export function byImportance(facts: readonly TrackerFact[]): readonly TrackerFact[] {
  return STATES.flatMap((state) => facts.filter((fact) => fact.state === state));
}

/** A line for each fact. */
export function factsText(facts: readonly TrackerFact[], view: View): string {
  const rows = facts.map(({ state, summary, cost, hint }) => {
    const text = plain(`${summary}${cost ? `: ${cost}` : ""}${hint ? `; ${hint}` : ""}`);
    return { label: state, facts: [state === "attention" ? { text, role: "warn" as const } : { text }] };
  });
  return cardRows(rows, view);
}
