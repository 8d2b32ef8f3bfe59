import type { Catalog } from "../../../api/catalog/catalog.ts";
import { type BugCheckContext, bugCheckError } from "../../../api/write/checks.ts";
import { withComponentDefaults } from "../../../api/write/component-defaults.ts";
import type { Moments } from "../../../api/write/custom-fields.ts";
import { expectedChanges, unforeseenParts } from "../../../api/write/preview.ts";
import { mayLoseGroups } from "../../../api/write/product-move.ts";
import { findWrongReferences } from "../../../api/write/references.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { readMoments } from "../date-times.ts";
import type { ChangeOptions, Edit, NewBug } from "./edit.ts";
import { guard, sinceOf } from "./guard.ts";

/** A bug that can be changed as far as `bt` can tell, by a body that changes it. */
export type Able = {
  readonly st: "able";
  readonly bug: Bug;
  readonly body: JsonObject;
  readonly next: JsonObject | undefined; // a second update
  readonly since: string | undefined; // it is refused if it was modified after this moment
  readonly moments: Moments; // of custom date-times, in UTC
  readonly expected: Changes; // old and new of what is named, and what follows from a move of the status
  readonly isExposed: boolean; // the move to another product may remove its last group
};

/** A bug to file. */
export type New = NewBug & { readonly st: "new"; readonly ref: string };

/** What is planned for each bug, in their order. */
export type Plan = readonly Planned[];
export type Planned =
  | Able
  | New
  | { readonly st: "unchanged"; readonly bug: Bug; readonly why?: string; readonly dropped?: readonly string[] }
  | { readonly st: "refused"; readonly ref: string; readonly bug?: Bug; readonly error: BtError };

/** What a plan is made by: metadata, and what had to be looked up for bodies, by `bodyKey`. */
export type PlanFacts = BugCheckContext & {
  readonly defaults: ReadonlyMap<number, JsonObject>; // bodies with the defaults that they reset values to, by bug
  readonly bodies: ReadonlyMap<string, BodyFacts>;
};
type BodyFacts = { readonly moments: Moments } & { readonly error: BtError | undefined };

/** Reads what the plan needs, and makes it; again by fresh metadata if cached ones refuse a bug. */
export async function readPlan(edits: readonly Edit[], options: ChangeOptions, context: Context): Promise<Plan> {
  const { address, metadata } = context.session;
  const guarded = edits.map((edit) => ("body" in edit ? { ...edit, since: sinceOf(edit, options, context) } : edit));
  const catalog = await metadata.catalog();
  const bodies = await readBodyFacts(guarded, options, catalog, context);
  const defaults = new Map<number, JsonObject>();
  for (const edit of guarded) if ("body" in edit) defaults.set(edit.bug.id, await bodyWithDefaults(edit, context));
  const plan = planChange(guarded, { catalog, address, bodies, defaults });
  const fresh = plan.some(({ st }) => st === "refused") ? await metadata.freshCatalog() : undefined;
  return fresh ? planChange(guarded, { catalog: fresh, address, bodies, defaults }) : plan;
}

/** The body with the defaults that it resets values to, where the tracker returns these. */
async function bodyWithDefaults(
  { bug, body }: { bug: Bug; body: JsonObject },
  { session }: Context,
): Promise<JsonObject> {
  return withComponentDefaults(body, bug, session.send).catch((error: unknown) => {
    if (error instanceof BtError) return body;
    throw error;
  });
}

/** The key of bodies that are equal. */
export function bodyKey(body: JsonObject): string {
  return JSON.stringify(body);
}

/** The moments of date-times, and wrong references, for each distinct body. */
async function readBodyFacts(
  edits: readonly Edit[],
  options: ChangeOptions,
  catalog: Catalog,
  context: Context,
): Promise<Map<string, BodyFacts>> {
  const { send } = context.session;
  const changing = edits.filter((edit) => "body" in edit);
  const bodies = new Map(changing.map(({ body }) => [bodyKey(body), body]));
  const isChecked = !options.areNamesChecked && (changing.length > 1 || options.dryRun); // a tracker refuses a single bug itself
  const wrong = isChecked ? await findWrongReferences([...bodies.values()], catalog, send) : [];
  if (bodies.size === 1 && wrong[0]) throw wrong[0]; // it is about the command, not about its bugs
  const facts = new Map<string, BodyFacts>();
  for (const [at, [key, body]] of [...bodies].entries()) {
    facts.set(key, { moments: await readMoments(body, context), error: wrong[at] });
  }
  return facts;
}

/** What is to be done about each bug. */
function planChange(edits: readonly Edit[], facts: PlanFacts): Plan {
  return edits.map((edit): Planned => {
    if ("error" in edit) return { st: "refused", ...edit };
    if ("why" in edit) return { st: "unchanged", ...edit };
    if ("create" in edit) return { st: "new", ref: `line ${edit.line}`, ...edit };
    return planEdit(edit, facts);
  });
}

function planEdit({ bug, body, next, since, isExposed = false }: BodyEdit, facts: PlanFacts): Planned {
  const { moments, error } = facts.bodies.get(bodyKey(body)) ?? {};
  const refusal = error ?? bugCheckError(bug, body, facts) ?? (since === undefined ? undefined : guard(bug, since));
  if (refusal) return { st: "refused", ref: String(bug.id), bug, error: refusal };
  const known = facts.defaults.get(bug.id) ?? body;
  const expected = expectedChanges(bug, { ...known, ...next, ...moments }, facts.catalog);
  const isUnforeseen = unforeseenParts(known).length > 0;
  if (Object.keys(expected).length === 0 && !isUnforeseen && recordedIn(body).length === 0)
    return { st: "unchanged", bug };
  return { st: "able", bug, body, next, since, moments, expected, isExposed: isExposed || mayLoseGroups(bug, body) };
}

type BodyEdit = Extract<Edit, { body: JsonObject }>;

/** The bugs of a plan that can be changed. */
export function ableIn(plan: Plan): Able[] {
  return plan.filter((item) => item.st === "able");
}

/** The bugs of a plan that are to be filed. */
export function newIn(plan: Plan): New[] {
  return plan.filter((item) => item.st === "new");
}

/** True if bugs are filed from others. */
export function hasOldIds(plan: Plan): boolean {
  return newIn(plan).some(({ oldId }) => oldId !== undefined);
}

/** Parameters of a body whose effect trackers do not report. */
export function recordedIn(body: JsonObject): string[] {
  return ["comment", "comment_is_private", "work_time"].filter((name) => body[name] !== undefined);
}
