import { isDeepStrictEqual } from "node:util";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { flagValues } from "../../../command-flag.ts";
import type { BtError } from "../../../errors.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangeResult } from "../../shared/change/plan.ts";
import { shellWord } from "../../shared/flags.ts";
import type { UpdateInput } from "../flags.ts";

/** Values of flags of `bt bug update`; an undefined one drops what an earlier key gave. */
export type UpdateFlags = UpdateInput["parameters"];

/** What became of a bug. With the time of its last change, it was handled: later walks skip it. */
export type Outcome = {
  readonly st: ChangeResult["st"] | "skipped" | "undone";
  readonly time?: string;
  readonly error?: BtError;
};

/** A walk: its bugs, the place of the bug on the screen and its change, and all outcomes. */
export type State = {
  readonly ids: readonly number[];
  readonly at: number;
  readonly changes: readonly UpdateFlags[]; // after each key
  readonly outcomes: ReadonlyMap<number, Outcome>; // by bug
  readonly isOver: boolean;
};

/** A new state and what is to be sent or undone for it, which hold once a question is confirmed. */
type Step = {
  readonly state: State;
  readonly ask?: string;
  readonly send?: UpdateFlags;
  readonly undo?: number; // a bug
};

/** The step of a key on the shown bug: flags that it adds to the change, or its name. */
export function step(state: State, bug: Bug, key: UpdateFlags | "send" | "skip" | "undo" | "quit"): Step {
  if (key === "undo") return undo(state);
  const pending = pendingFlags(state);
  if (typeof key !== "string") {
    const flags = mergedFlags(pending, key, bug);
    return { state: isDeepStrictEqual(flags, pending) ? state : { ...state, changes: [...state.changes, flags] } };
  }
  const isPending = Object.keys(pending).length > 0;
  if (key === "send" && isPending) return { state, send: pending };
  const skipped: Outcome = { st: "skipped", time: bug.last_change_time ?? "" };
  const after = key === "quit" ? { ...state, isOver: true } : next(state, skipped);
  return isPending ? { state: after, ask: `${key} without sending the change?` } : { state: after };
}

/** Pending flags and the flags of a further key; requests and comments add up, values that the bug has drop out. */
function mergedFlags(before: UpdateFlags, typed: UpdateFlags, bug: Bug): UpdateFlags {
  const comments = [before.comment, typed.comment].filter(Boolean);
  const requests = [...(before.flags ?? []), ...(typed.flags ?? [])];
  const all = { ...before, ...typed, comment: comments.join("\n\n"), flags: requests };
  const isMoved = all.product !== undefined && all.product !== bug.product;
  const ofProduct = PER_PRODUCT_FIELDS.map(commandFlagName);
  const valueNow = (flag: string) => String((bug as JsonObject)[flag.replaceAll("-", "_")] ?? "");
  const isChange = ([name, value = ""]: [string, unknown]) =>
    String(value) !== "" && ((isMoved && ofProduct.includes(name)) || String(value) !== valueNow(name));
  return Object.fromEntries(Object.entries(all).filter(isChange));
}

/** Takes the last key back; without one, goes back to the bug before, whose change is undone. */
function undo(state: State): Step {
  if (state.changes.length > 0) return { state: { ...state, changes: state.changes.slice(0, -1) } };
  const last = previousBug(state);
  if (last === undefined) return { state };
  if (state.outcomes.get(last)?.st !== "applied") return { state: back(state) };
  return { state: back(state), ask: `undo the change of bug ${last}?`, undo: last };
}

/** The bug before that was shown. */
export function previousBug({ ids, at, outcomes }: State): number | undefined {
  return ids.slice(0, at).findLast((id) => outcomes.has(id));
}

/** Goes back to the bug before; if it was only skipped or previewed, its outcome is removed. */
export function back(state: State, outcome?: Outcome): State {
  const id = previousBug(state) ?? 0;
  const outcomes = new Map(state.outcomes);
  const now = outcome ?? outcomes.get(id);
  if (now && !["skipped", "would change"].includes(now.st)) outcomes.set(id, now);
  else outcomes.delete(id);
  return { ...state, at: state.ids.indexOf(id), changes: [], outcomes, isOver: false };
}

/** Moves to the next bug and records the outcome of the current one; a missing bug has none. */
export function next(state: State, outcome?: Outcome): State {
  const { outcomes } = outcome ? settle(state, outcome) : state;
  const at = state.at + 1;
  return { ...state, outcomes, changes: [], ...(at < state.ids.length ? { at } : { isOver: true }) };
}

/** Notes the outcome of the bug on the screen; a later skip does not replace what was sent. */
export function settle(state: State, outcome: Outcome): State {
  const id = state.ids[state.at] ?? 0;
  const before = state.outcomes.get(id);
  const isKept = outcome.st === "skipped" && before !== undefined && ["applied", "unknown"].includes(before.st);
  const outcomes = new Map(state.outcomes).set(id, isKept ? before : outcome);
  return { ...state, outcomes, changes: outcome.st === "refused" ? state.changes : [] };
}

/** Flags of the change so far. */
export function pendingFlags({ changes }: State): UpdateFlags {
  return changes.at(-1) ?? {};
}

/** The command line of a change, as it is typed in a shell. */
export function updateLine(id: number, flags: UpdateFlags): string {
  const words = Object.entries(flags).flatMap(([name, values]) => {
    if (values === true) return [`--${name}`];
    return flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value]));
  });
  return ["bt bug update", id, ...words.map(shellWord)].join(" ");
}
