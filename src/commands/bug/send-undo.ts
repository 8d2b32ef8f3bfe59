import { type Catalog, findField } from "../../api/catalog.ts";
import { bugsByMessage } from "../../api/delivery/bulk.ts";
import { receivedMs } from "../../api/response/response-objects.ts";
import type { Histories, PastChange } from "../../api/undo/past-change.ts";
import { type Undo, undoOf } from "../../api/undo/undo.ts";
import type { NotUndone } from "../../api/undo/undo-flags.ts";
import type { UndoNote, UpdatePart } from "../../api/write/update-request.ts";
import { BtError, withDetails, withFacts } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Comment } from "../../wire/resources.ts";
import { commentsPlan } from "../comment/get.ts";
import { readLongText } from "../input-text.ts";
import { isJson } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { commentBody } from "./moves.ts";
import { readAll } from "./thread.ts";
import { applyUpdate } from "./update.ts";
import type { BulkChange } from "./update-many.ts";

/** Bugs with the change of each that is to be undone, and the user who undoes. */
export type Undoing = Pick<BulkChange, "lost"> & {
  readonly bugs: readonly Bug[];
  readonly histories: Histories;
  readonly changes: ReadonlyMap<number, PastChange>; // by bug; bugs without one stay unchanged
  readonly me: string;
};

/**
 * Undoes a change of each bug by an update, which is sent, previewed and verified like any other; bugs that get equal
 * values share a request. What is not undone is reported.
 * @throws BtError of kind partial if a part is not undone; of kind collision or no if nothing is
 */
export async function sendUndo(undoing: Undoing, { input, context }: Around): Promise<void> {
  const comment = commentBody(await readLongText({ name: "comment" }, input, context));
  const undos = await undosOf(undoing, comment, context);
  const lines = linesOf(undos);
  if (undos.every(({ body }) => isEmpty(body))) throw nothingUndone(undoing, undos, lines);
  await noteChanges(undos, context);
  const parts = partsOf(undos, comment);
  const guarded = { ...input, flags: { ...input.flags, "if-unchanged": true as const } };
  try {
    await applyUpdate({ bugs: undoing.bugs, lost: undoing.lost, parts }, { input: guarded, context });
  } catch (error) {
    throw error instanceof BtError ? withDetails(withWayOn(error), lines) : error;
  }
  if (lines.length === 0) return;
  if (!input.flags["dry-run"]) throw new BtError("partial", PARTLY, { details: lines, changed: "some" });
  if (!isJson(context)) for (const line of lines) await context.io.err(`${plain(line)}\n`);
}

const PARTLY = "the change was only partly undone";

type Around = { readonly input: Input; readonly context: Context };

/** A collision before anything was sent: the bugs have to be read again. */
function withWayOn(error: BtError): BtError {
  const isUnsent = error.kind === "collision" && error.facts.changed === "nothing";
  return isUnsent ? withFacts(error, { hint: "run the command again" }) : error;
}

type BugUndo = Undo & { readonly bug: Bug; readonly change: PastChange | undefined };

async function undosOf(undoing: Undoing, comment: JsonObject, context: Context): Promise<readonly BugUndo[]> {
  const { bugs, changes, histories, me } = undoing;
  const comments = await commentsSince(undoing, context);
  const make = async (catalog: Catalog) => {
    const zones = setsTime(changes, catalog) ? (await context.session.zone()).possible : [];
    return bugs.map((bug) => {
      const id = bug.id ?? 0;
      const change = changes.get(id);
      const state = { bug, history: histories.get(id) ?? [], comments: comments.get(id) ?? [] };
      const undo = change && undoOf(change, { ...state, catalog, zones, me, comment });
      return { bug, change, ...(undo ?? NOTHING) };
    });
  };
  const undos = await make(await context.session.catalog());
  const fresh = undos.some(({ left }) => left.length > 0) ? await context.session.freshCatalog() : undefined;
  return fresh ? make(fresh) : undos;
}

const NOTHING: Undo = { body: {}, left: [{ field: "last change", reason: "nothing to undo" }] };

/** Comments of bugs since the oldest of the changes, in few requests. */
async function commentsSince(
  { bugs, changes }: Undoing,
  context: Context,
): Promise<ReadonlyMap<number, readonly Comment[]>> {
  const [first] = [...changes.values()].map(({ when }) => receivedMs(when)).sort((one, other) => one - other);
  if (first === undefined) return new Map();
  const since = new Date(first - SECOND_MS).toISOString();
  const ids = bugs.map(({ id }) => String(id));
  const read = await readAll(ids, commentsPlan(since), context);
  return new Map([...read].map(([id, comments]) => [Number(id), comments]));
}

const SECOND_MS = 1000;

function setsTime(changes: Undoing["changes"], catalog: Catalog): boolean {
  const names = [...changes.values()].flatMap(({ fields }) => fields.map(({ field }) => field));
  return names.some((name) => name.startsWith("cf_") && findField(catalog, name)?.family === "moment");
}

/** An update for each set of equal values; bugs with nothing to put back stay unchanged. */
function partsOf(undos: readonly BugUndo[], comment: JsonObject): readonly UpdatePart[] {
  const parts = new Map<string, UpdatePart & { readonly notes: Map<number, UndoNote> }>();
  for (const { bug, change, body, left } of undos) {
    const key = JSON.stringify(body);
    const part = parts.get(key) ?? { bugs: [], body: isEmpty(body) ? {} : { ...body, ...comment }, notes: new Map() };
    part.notes.set(bug.id ?? 0, noteOf(change, left));
    parts.set(key, { ...part, bugs: [...part.bugs, bug] });
  }
  return [...parts.values()];
}

/** The undone change and what is left of it, for JSON. */
function noteOf(change: PastChange | undefined, left: readonly NotUndone[]): UndoNote {
  return {
    undone: change ? { when: change.when, who: change.who, job: change.job ?? null } : null,
    not_undone: left.map(({ field, reason }) => ({ field, reason })),
  };
}

/** Names the changes of a few bugs, since the user may have another one in mind. */
async function noteChanges(undos: readonly BugUndo[], context: Context): Promise<void> {
  if (isJson(context)) return;
  const { io } = context;
  const named = undos.flatMap(({ change }) => change ?? []);
  for (const { bug, when, who, job } of named.slice(0, MAX_NOTES))
    await io.err(`bug ${bug}: undoing the change of ${plain(`${when} by ${who}${job ? ` (job ${job})` : ""}`)}\n`);
  if (named.length > MAX_NOTES) await io.err(`and ${named.length - MAX_NOTES} more bugs\n`);
}

const MAX_NOTES = 5;

/** Parts that are not undone, a line for each reason with its bugs. */
function linesOf(undos: readonly BugUndo[]): readonly string[] {
  const all = undos.flatMap(({ bug, left }) =>
    left.map(({ field, reason }) => ({ bug: String(bug.id), message: `${field} not undone: ${reason}` })),
  );
  return bugsByMessage(all);
}

function nothingUndone({ changes }: Undoing, undos: readonly BugUndo[], lines: readonly string[]): BtError {
  const isCollision = undos.some(({ left }) => left.some((one) => one.isCollision));
  const [only, ...others] = changes.keys();
  const names = others.length > 0 ? `the ${changes.size} bugs already have` : `bug ${only} already has`;
  const back = `nothing to undo: ${names} the values from before the change`;
  const message = lines.length === 0 ? back : "no part of the change can be undone";
  return new BtError(isCollision ? "collision" : "no", message, { details: lines, changed: "nothing" });
}

function isEmpty(body: JsonObject): boolean {
  return Object.keys(body).length === 0;
}
