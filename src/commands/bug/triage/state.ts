import { isDeepStrictEqual } from "node:util";
import { commandFlagName } from "../../../api/operations/operation.ts";
import { type FlagValues, flagValues } from "../../../command-flag.ts";
import { type Bug, PER_PRODUCT_FIELDS } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { ChangeResult } from "../../shared/change/edit.ts";
import { shellWord } from "../../shared/shell-word.ts";
import type { UpdateInput } from "../write/flags.ts";
import type { KeyName } from "./keys.ts";

/** Values of flags of `bt bug update`. */
export type UpdateFlags = UpdateInput["parameters"];

/** What one key adds to the change of a bug: flags of `bt bug update`, and a comment. */
export type Part = { readonly kind: KeyName; readonly flags: UpdateFlags; readonly text?: string };

/** What became of a bug. */
export type Outcome = ChangeResult["st"] | "skipped" | "undone";

/** A walk: its bugs, the place of the one on the screen, the parts of its change, and what became of the others. */
export type State = {
  readonly ids: readonly number[];
  readonly at: number;
  readonly parts: readonly Part[];
  readonly past: readonly number[]; // bugs to which one can go back, the last one last
  readonly outcomes: ReadonlyMap<number, Outcome>; // by bug
  readonly isOver: boolean;
};

/** What the user typed, with the answer to a question about it, or what became of an effect. */
export type Event =
  | { readonly on: "part"; readonly part: Part }
  | { readonly on: "send" | "skip" | "undo" | "quit"; readonly isSure?: boolean }
  | { readonly on: "sent"; readonly outcome: Outcome }
  | { readonly on: "undone" | "back" | "missing" };

/** A new state, and what is to be done: a question, a change to send or to undo, a line to show. */
export type Step = {
  readonly state: State;
  readonly ask?: string;
  readonly send?: UpdateFlags;
  readonly undo?: number; // a bug
  readonly say?: string;
};

export function begin(ids: readonly number[]): State {
  return { ids, at: 0, parts: [], past: [], outcomes: new Map(), isOver: ids.length === 0 };
}

/** One step of a walk, from the bug on the screen. */
export function step(state: State, bug: Bug, event: Event): Step {
  const pending = pendingFlags(state.parts, bug);
  const isPending = Object.keys(pending).length > 0;
  switch (event.on) {
    case "part":
      return addPart(state, bug, event.part);
    case "send":
      return isPending ? { state, send: pending } : { state: next(state, "skipped") };
    case "sent":
      return event.outcome === "unknown"
        ? { state: { ...withOutcome(state, "unknown"), parts: [] } }
        : { state: next(state, event.outcome) };
    case "skip":
      if (isPending && !event.isSure) return { state, ask: "skip without sending the change?" };
      return { state: next(state, "skipped"), ...(isPending && { say: `not sent: ${updateLine(bug.id, pending)}` }) };
    case "undo":
      return undo(state, event.isSure === true);
    case "missing":
      return { state: next(state) };
    case "back":
      return { state: back(state) };
    case "undone":
      return { state: back(state, "undone") };
    case "quit":
      if (isPending && !event.isSure) return { state, ask: "quit without sending the change?" };
      return { state: { ...state, isOver: true } };
  }
}

/** Adds a part; says if it changes nothing. */
function addPart(state: State, bug: Bug, part: Part): Step {
  const parts = [...state.parts, part];
  const [before, after]: FlagValues[] = [pendingFlags(state.parts, bug), pendingFlags(parts, bug)];
  if (!isDeepStrictEqual(before, after)) return { state: { ...state, parts } };
  return { state, say: `no change: ${part.kind} is already ${Object.values(part.flags).join(" ") || "empty"}` };
}

/** Takes the last part back; without one, goes back to the bug before, whose change is undone. */
function undo(state: State, isSure: boolean): Step {
  const part = state.parts.at(-1);
  if (part !== undefined) {
    const line = flagLine({ ...part.flags, ...(part.text !== undefined && { comment: part.text }) });
    return { state: { ...state, parts: state.parts.slice(0, -1) }, say: `taken back: ${line}` };
  }
  const last = state.past.at(-1);
  if (last === undefined) return { state };
  if (state.outcomes.get(last) !== "applied") return { state: back(state) };
  return isSure ? { state, undo: last } : { state, ask: `undo the change of bug ${last}?` };
}

/** The next bug that is not handled. */
function next(state: State, outcome?: Outcome): State {
  const { outcomes } = outcome ? withOutcome(state, outcome) : state;
  const at = state.ids.findIndex((id, place) => place > state.at && !outcomes.has(id));
  const past = outcome ? [...state.past, state.ids[state.at] ?? 0] : state.past;
  return { ...state, parts: [], past, outcomes, ...(at < 0 ? { isOver: true } : { at }) };
}

/** An update or an unknown outcome counts, even if the bug is skipped later. */
function withOutcome(state: State, outcome: Outcome): State {
  const id = state.ids[state.at] ?? 0;
  const before = state.outcomes.get(id);
  const isKept = outcome === "skipped" && before !== undefined;
  return { ...state, outcomes: new Map(state.outcomes).set(id, isKept ? before : outcome) };
}

/** The bug before; one that was skipped or previewed is left to handle again, what else was done stands. */
function back(state: State, outcome?: Outcome): State {
  const id = state.past.at(-1) ?? 0;
  const outcomes = new Map(state.outcomes);
  const before = outcomes.get(id);
  if (outcome) outcomes.set(id, outcome);
  else if (before === "skipped" || before === "would change") outcomes.delete(id);
  const at = state.ids.indexOf(id);
  return { ...state, at, parts: [], past: state.past.slice(0, -1), outcomes, isOver: false };
}

/**
 * Flags of `bt bug update` for parts: the last one of each kind with its comment, but all requests and other comments. Values that
 * the bug has are left out.
 */
export function pendingFlags(parts: readonly Part[], bug: Bug): UpdateFlags {
  const isLast = (part: Part) => parts.findLast(({ kind }) => kind === part.kind) === part;
  const meant = parts.filter((part) => part.kind === "needinfo" || part.kind === "comment" || isLast(part));
  const isSet = (request: string) => (bug.flags ?? []).some(({ name }) => request.startsWith(`${name}?`));
  const requests = meant.flatMap((part) => part.flags.flags ?? []);
  const flags = requests.map((request, at) => (at > 0 || isSet(request) ? `+${request}` : request));
  const comments = meant.flatMap(({ text }) => text ?? []);
  return {
    ...withoutUnchanged(Object.assign({}, ...meant.map((part) => part.flags)), bug),
    ...(flags.length > 0 && { flags }),
    ...(comments.length > 0 && { comment: comments.join("\n\n") }),
  };
}

function withoutUnchanged(flags: UpdateFlags, bug: Bug): UpdateFlags {
  const isMoved = flags.product !== undefined && flags.product !== bug.product;
  const valueNow = (flag: string) => String((bug as JsonObject)[flag.replaceAll("-", "_")] ?? "");
  const changed = Object.entries(flags).filter(
    ([name, value]) => (isMoved && OF_PRODUCT.has(name)) || String(value) !== valueNow(name),
  );
  return Object.fromEntries(changed);
}

const OF_PRODUCT: ReadonlySet<string> = new Set(PER_PRODUCT_FIELDS.map(commandFlagName));

/** The command line of a change, as it is typed in a shell. */
export function updateLine(id: number, flags: FlagValues): string {
  return `bt bug update ${id} ${flagLine(flags)}`;
}

function flagLine(flags: FlagValues): string {
  const words = Object.entries(flags).flatMap(([name, values]) => {
    if (values === true) return [`--${name}`];
    return flagValues(values).flatMap((value) => (name === "comment" ? ["-m", value] : [`--${name}`, value]));
  });
  return words.map(shellWord).join(" ");
}
