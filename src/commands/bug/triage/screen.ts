import type { KeyChoice } from "../../../prompt/question.ts";
import { bugBrief } from "../../../view/bug-card.ts";
import { commentProse } from "../../../view/comments.ts";
import { plain } from "../../../view/text.ts";
import type { View } from "../../../view/view.ts";
import { width } from "../../../view/wrap.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { Comment, Field } from "../../../wire/resources.ts";
import { tallyText } from "../../shared/change/output.ts";
import { TRIAGE_KEYS } from "../flags.ts";
import { pendingFlags, previousBug, type State, updateLine } from "./state.ts";

export type Shown = { readonly bug: Bug; readonly comments: readonly Comment[]; readonly fields: readonly Field[] };

/** A bug: its summary, as much of the description as fits on the screen, and lines of facts. */
export function bugOnScreen({ bug, comments, fields }: Shown, change: string, view: View, rows: number): string {
  const description = comments.find(({ count }) => count === 0);
  const { title, facts } = bugBrief({ bug, fields }, comments.length - (description ? 1 : 0), view);
  const lines = description ? commentProse(description, view).trimEnd().split("\n") : [];
  const used = `${title}${facts}\n${change}`.split("\n").map((line) => Math.ceil(width(line) / view.width));
  const room = Math.max(MIN_LINES, rows - REST - used.reduce((sum, count) => sum + Math.max(1, count), 0) + 1);
  const more = `... ${lines.length - room + 1} more lines; ${TRIAGE_KEYS["view all"]} shows all`;
  const cut = lines.length > room ? [...lines.slice(0, room - 1), more] : lines;
  return `\n${title}\n${cut.map((line) => `${line}\n`).join("")}\n${facts}\n`;
}

const MIN_LINES = 2;
const REST = 6; // the keys, the prompt, and empty lines

/** The command of the change so far behind some words, on a line of its own; empty without one. */
export function changeText(state: State, tracker: string, before = ""): string {
  const flags = pendingFlags(state);
  if (Object.keys(flags).length === 0) return "";
  const line = updateLine(state.ids[state.at] ?? 0, flags);
  return `${plain(`${before}${line}${tracker}`, { lines: true })}\n`;
}

/** The keys for the bug on the screen, with what they are for now. */
export function keysFor(state: State): KeyChoice[] {
  const last = previousBug(state);
  const isSent = state.outcomes.get(last ?? 0)?.st === "applied";
  const names: Partial<Record<string, string>> = {
    undo: state.changes.length > 0 ? "undo" : `${isSent ? "undo" : "back to"} #${last}`,
    send: Object.keys(pendingFlags(state)).length > 0 ? "send" : "next",
  };
  return Object.entries(TRIAGE_KEYS)
    .filter(([value]) => value !== "undo" || state.changes.length > 0 || last !== undefined)
    .map(([value, key]) => ({ key, value, name: names[value] ?? value }));
}

/** What became of the bugs of a walk: `2 applied, 1 skipped, 17 left`. */
export function walkText({ ids, outcomes }: State, isDryRun: boolean): string {
  const results = ids.map((id) => outcomes.get(id)?.st ?? "left");
  const done = isDryRun ? "would change" : "applied";
  return tallyText(results, [done, "unchanged", "refused", "unknown", "undone", "skipped", "left"]);
}
