import type { Catalog } from "../../../api/catalog/catalog.ts";
import {
  previewChanges,
  recordedParameters,
  sameValue,
  unforeseenParts,
  updatedFields,
} from "../../../api/write/changes.ts";
import { bugCheckError, findWrongReferences, mayBecomePublic } from "../../../api/write/checks.ts";
import { localTimes } from "../../../api/write/values.ts";
import { BtError } from "../../../errors.ts";
import { withCatalog } from "../../../session/session.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import type { UpdateOptions } from "../flags.ts";
import { readMoment } from "../text.ts";
import type { ChangeResult } from "./result.ts";

/** What a bug gets, a new bug, why nothing is to be done, or why a bug cannot be changed. */
export type Edit =
  | {
      readonly bug: Bug;
      readonly body: JsonObject;
      readonly next?: JsonObject | undefined; // a second update, of the status
      readonly since?: string | undefined; // not if modified after this moment
    }
  | NewBug
  | { readonly bug: Bug; readonly why: string; readonly dropped?: readonly string[] } // not sent
  | { readonly ref: string; readonly bug?: Bug; readonly error: BtError };

/** A bug to file, named by the line of its row, and the updates that it gets then. */
export type NewBug = {
  readonly line: number;
  readonly create: JsonObject;
  readonly key: string; // of its row
  readonly id?: number | undefined; // filed by an earlier run, which did not complete it
  readonly oldId?: number | undefined; // in the file
  readonly complete?: ((id: number) => readonly JsonObject[]) | undefined;
};

/** Options of every change; `key` is what a rerun finds its job by. */
export type ChangeOptions = UpdateOptions & {
  readonly command?: string;
  readonly key?: string;
  readonly mustConfirm?: boolean; // even a few bugs, as an import
  readonly areNamesChecked?: boolean; // people, groups and bugs that its bodies name
};

/** A bug that can be changed as far as `bt` can tell, by a body that changes it. */
export type Able = {
  readonly st: "able";
  readonly ref: string;
  readonly bug: Bug;
  readonly body: JsonObject;
  readonly next: JsonObject | undefined; // a second update
  readonly since: string | undefined; // it is refused if it was modified after this moment
  readonly times: JsonObject; // custom date-times in the tracker's zone
  readonly expected: Changes; // old and new of what is named
  readonly isExposed: boolean; // it may become public
};

/** A bug to file. */
export type New = NewBug & { readonly st: "new"; readonly ref: string; readonly times: JsonObject };

/** The result of a bug that is not sent. */
export type Settled = (ChangeResult & { readonly st: "unchanged" }) | Refused;
type Refused = ChangeResult & { readonly st: "refused"; readonly error: BtError };

export type Planned = Able | New | Settled;

/** What is planned for each bug, in the order of the edits, and the bugs by what becomes of them. */
export type Plan = {
  readonly items: readonly Planned[];
  readonly able: readonly Able[];
  readonly created: readonly New[];
  readonly refused: readonly Refused[];
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
};

/** Plans edits by the catalog; again by a fresh catalog if the cached one refuses a bug. */
export async function planChange(edits: readonly Edit[], options: ChangeOptions, context: Context): Promise<Plan> {
  const { session } = context;
  const wrong = await readWrongReferences(edits, options, await session.catalog(), context);
  const planBy = (catalog: Catalog) => edits.map((edit) => planEdit(edit, wrong, options, catalog, context));
  const items = await withCatalog(session, planBy, (planned) => planned.some(({ st }) => st === "refused"));
  const able = ableIn(items);
  return {
    items,
    able,
    isGuarded: able.some(({ since }) => since !== undefined),
    created: items.filter((item) => item.st === "new"),
    refused: items.filter((item) => item.st === "refused"),
  };
}

/** Errors of bodies that have an unknown name, by the body as JSON; the only body of a change is left to the tracker. */
async function readWrongReferences(
  edits: readonly Edit[],
  options: ChangeOptions,
  catalog: Catalog,
  context: Context,
): Promise<ReadonlyMap<string, BtError>> {
  const changing = edits.filter((edit) => "body" in edit);
  if (options.areNamesChecked || (changing.length < 2 && !options.dryRun)) return new Map();
  const bodies = new Map(changing.map(({ body }) => [JSON.stringify(body), body]));
  const errors = await findWrongReferences([...bodies.values()], catalog, context.session.send);
  if (bodies.size === 1 && errors[0]) throw errors[0]; // about the command
  return new Map([...bodies.keys()].flatMap((key, at) => (errors[at] ? [[key, errors[at]] as const] : [])));
}

function planEdit(
  edit: Edit,
  wrong: ReadonlyMap<string, BtError>, // by the body as JSON
  options: ChangeOptions,
  catalog: Catalog,
  context: Context,
): Planned {
  const zone = context.session.settings.server_zone;
  if ("error" in edit) return { st: "refused", ...edit };
  if ("create" in edit)
    return { st: "new", ref: `line ${edit.line}`, ...edit, times: localTimes(edit.create, catalog, zone) };
  const { bug } = edit;
  const ref = String(bug.id);
  if ("why" in edit) return { st: "unchanged", ref, bug, why: edit.why, notApplied: edit.dropped };
  const { body, next } = edit;
  const since = guardedSince(edit, options, context);
  const stale = since && staleError(bug, since);
  const error = wrong.get(JSON.stringify(body)) ?? bugCheckError(bug, body, catalog) ?? stale;
  if (error) return { st: "refused", ref, bug, error };
  const expected = previewChanges(bug as JsonObject, { ...body, ...next });
  const hasOtherEffects = unforeseenParts(body).length > 0 || recordedParameters(body).length > 0;
  if (Object.keys(expected).length === 0 && !hasOtherEffects) return { st: "unchanged", ref, bug };
  const facts = { times: localTimes(body, catalog, zone), expected, isExposed: mayBecomePublic(bug, body) };
  return { st: "able", ref, bug, body, next, since, ...facts };
}

/**
 * The moment (ISO 8601) after which a bug must not have been modified: the first of its edit, a flag, and its reading;
 * undefined if it may have been. "" if none of these is known, so that the bug is refused before it is sent.
 */
function guardedSince(
  { bug, since }: { bug: Bug; since?: string | undefined },
  { ifUnchanged, unchangedSince }: ChangeOptions,
  context: Context,
): string | undefined {
  const given = unchangedSince === undefined ? undefined : readMoment(unchangedSince, context);
  if (!ifUnchanged && given === undefined && since === undefined) return undefined;
  return [since, given, bug.last_change_time ?? undefined].filter((time) => time !== undefined).sort()[0] ?? "";
}

/** The error of a bug modified after a moment (ISO 8601), if given, or in a value of the edit. */
export function staleError(
  now: Bug,
  since: string | undefined,
  edit?: { readonly bug: Bug; readonly body: JsonObject },
): BtError | undefined {
  const { id, last_change_time: changed } = now;
  if (since !== undefined && !changed) {
    const sentence = `cannot tell whether bug ${id} was modified: the tracker does not return when it changed`;
    return new BtError("guard", sentence);
  }
  const { bug: read = now, body = {} } = edit ?? {};
  const isEqual = (name: string) => sameValue((read as JsonObject)[name], (now as JsonObject)[name]);
  const modified = updatedFields(body).filter((name) => !isEqual(name));
  const isLater = since !== undefined && String(changed) > since;
  if (!isLater && modified.length === 0) return undefined;
  const reason = [`modified since (${changed ?? "?"})`, modified.join(", ")].filter(Boolean).join(": ");
  return new BtError("collision", `bug ${id} was ${reason}`, {
    reason,
    hint: `bt bug history ${id} shows the changes`,
  });
}

export function ableIn(items: readonly Planned[]): Able[] {
  return items.filter((item) => item.st === "able");
}

export function isSettled(item: Planned): item is Settled {
  return item.st === "unchanged" || item.st === "refused";
}
