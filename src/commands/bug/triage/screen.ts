import type { KeyChoice } from "../../../prompt/question.ts";
import { bugBrief } from "../../../view/bug-card.ts";
import { commentProse } from "../../../view/comments.ts";
import { plain } from "../../../view/text.ts";
import type { View } from "../../../view/view.ts";
import { width } from "../../../view/wrap.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, Field } from "../../../wire/resources.ts";
import { brokenCommand } from "../../shared/shell-word.ts";
import { TRIAGE_KEYS } from "./keys.ts";
import { type Outcome, type Part, pendingFlags, type State, updateLine } from "./state.ts";

export type Shown = { readonly bug: Bug; readonly comments: readonly Comment[]; readonly fields: readonly Field[] };

/** A bug: its summary, as much of the description as fits on the screen, and two lines of facts. */
export function bugOnScreen(
  parts: readonly Part[],
  { bug, comments, fields }: Shown,
  view: View,
  rows: number,
): string {
  const description = comments.find(({ count }) => count === 0);
  const { title, facts } = bugBrief({ bug, fields }, comments.length - (description ? 1 : 0), view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const below = changeText(parts, bug, "", view).split("\n");
  const used = [...`${title}${facts}`.split("\n"), ...below].map((line) => Math.ceil(width(line) / view.width));
  const room = Math.max(MIN_LINES, rows - REST - used.reduce((sum, count) => sum + Math.max(1, count), 0) + 1);
  const more = `... ${lines.length - room + 1} more lines; ${TRIAGE_KEYS.all.key} shows all`;
  const cut = lines.length > room ? [...lines.slice(0, room - 1), more] : lines;
  return `\n${title}\n${cut.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 2;
const REST = 6; // the keys, the prompt, and empty lines

/** The command of the change so far behind some words, on lines of its own; empty without one. */
export function changeText(parts: readonly Part[], bug: Bug, tracker: string, view: View, before = ""): string {
  const flags = pendingFlags(parts, bug);
  if (Object.keys(flags).length === 0) return "";
  return `${brokenCommand(plain(`${before}${updateLine(bug.id, flags)}${tracker}`, { lines: true }), view.width)}\n`;
}

/** The keys for a bug, with what they are for now. */
export function keysFor(state: State, bug: Bug): KeyChoice[] {
  const last = state.past.at(-1) ?? 0;
  const back = `${state.outcomes.get(last) === "applied" ? "undo" : "back to"} #${last}`;
  const names: Partial<Record<string, string>> = {
    ...(state.parts.length === 0 && { undo: back }),
    ...(Object.keys(pendingFlags(state.parts, bug)).length === 0 && { send: "next" }),
  };
  return Object.entries(TRIAGE_KEYS)
    .filter(([value]) => value !== "undo" || state.parts.length > 0 || last > 0)
    .map(([value, { key, name }]) => ({ key, value, name: names[value] ?? name }));
}

/** What became of the bugs of a walk: `2 updated, 1 skipped, 17 left`. */
export function tallyText(
  state: State,
  beyond: number,
  { isDryRun, isKept }: { isDryRun: boolean; isKept: boolean },
): string {
  const count = (wanted: Outcome) => [...state.outcomes.values()].filter((outcome) => outcome === wanted).length;
  const [undone, unknown, unchanged] = [count("undone"), count("unknown"), count("unchanged")];
  const left = state.ids.length - state.outcomes.size;
  const parts = [
    isDryRun ? `${count("would change")} would be updated` : `${count("applied")} updated`,
    undone > 0 && `${undone} undone`,
    unknown > 0 && `${unknown} with an unknown outcome`,
    unchanged > 0 && `${unchanged} unchanged`,
    `${count("skipped")} skipped`,
    `${left} left`,
    beyond > 0 && `${beyond} beyond --limit`,
  ];
  const again = isKept && left + beyond > 0 ? "; run it again to continue" : "";
  return `${parts.filter(Boolean).join(", ")}${again}`;
}
