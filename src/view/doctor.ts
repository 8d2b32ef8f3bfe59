import { cardRows } from "./card.ts";
import type { Column } from "./column.ts";
import { plain } from "./text.ts";
import type { View } from "./view.ts";

/** Result of a check; `unknown` means that it could not be run, which is no error. `hint` is the next step. */
export type Finding = {
  readonly state: "ok" | "attention" | "unknown";
  readonly summary: string;
  readonly hint?: string | undefined;
};

/** A check with its result. */
export type DoctorLine = Finding & { readonly name: string };

/** Columns of `bt doctor`. */
export const DOCTOR_COLUMNS: readonly Column<DoctorLine>[] = (["name", "state", "summary", "hint"] as const).map(
  (name) => ({ name, heading: name, value: (line) => line[name] }),
);

const MARKS = { ok: "", attention: "! ", unknown: "? " } as const;

/** A labelled line for each check. */
export function doctorText(lines: readonly DoctorLine[], view: View): string {
  const rows = lines.map(({ name, state, summary, hint }) => {
    const text = plain(`${MARKS[state]}${summary}${hint ? `; ${hint}` : ""}`);
    return {
      label: name.replaceAll("_", " "),
      facts: [state === "attention" ? { text, role: "warn" as const } : { text }],
    };
  });
  return cardRows(rows, view);
}
