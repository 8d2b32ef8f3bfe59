import { askEach } from "../../api/batch.ts";
import type { Catalog } from "../../api/catalog.ts";
import { stateBefore } from "../../api/delivery/standing.ts";
import { listIn } from "../../api/read.ts";
import { aimFlags } from "../../api/write/flag-target.ts";
import { checkFlags } from "../../api/write/flag-types.ts";
import { checkedText } from "../../api/write/limits.ts";
import { checkMoves } from "../../api/write/moves.ts";
import { previewChanges } from "../../api/write/preview.ts";
import { checkProductMove } from "../../api/write/product-move.ts";
import { checkNotEmpty, checkSingleBugRules, updateRequest } from "../../api/write/request.ts";
import { UPDATE_BUG } from "../../api/write-bugs.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { ChangedBug } from "../../wire/history.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { account, bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { commentPrivacy } from "./comment-privacy.ts";
import { bugPlan } from "./get.ts";
import { bodyFrom, readingOf } from "./reading.ts";
import { showChanges, showPlan } from "./show-changes.ts";

/** `bt bug update`: reads the bugs, checks the whole change against them, sends it once, and prints what it did. */
export async function update(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const comment = await readProse({ name: "comment" }, input, context);
  const bugs = await currentBugs(refs, context);
  const body = await withCatalog(context.tracker, (catalog) => updateBody({ input, context, catalog, bugs, comment }));
  await applyUpdate(bugs, body, { input, context });
}

/** Checks an update of these bugs and sends it as one request, or shows with `--dry-run` what it would do. */
export async function applyUpdate(
  bugs: readonly Bug[],
  body: JsonObject,
  { input, context }: { readonly input: Input; readonly context: Context },
): Promise<void> {
  checkNotEmpty(body);
  checkSingleBugRules(bugs, body);
  checkMoves(bugs, body, await context.tracker.catalog());
  const request = updateRequest(
    bugs.map(({ id }) => id ?? 0),
    body,
  );
  if (input.flags["dry-run"]) {
    const previews = bugs.map((bug) => ({ bug, changes: previewChanges(bug, body) }));
    return showPlan(request, previews, context);
  }
  const before = stateBefore(bugs, body);
  const changed = listIn(
    await context.tracker.deliver({ request, before }),
    "bugs",
  ) as unknown as readonly ChangedBug[];
  await showChanges(changed, bugs, context);
}

/** The bugs as they stand, with everything that a change is checked against; one that is not there ends the command. */
export async function currentBugs(refs: readonly string[], context: Context): Promise<readonly Bug[]> {
  const bugs: Bug[] = [];
  for await (const outcomes of askEach(refs, bugPlan(["_default"]), context.tracker.ask)) {
    account(outcomes, { done: "changed" });
    bugs.push(...outcomes.flatMap((outcome) => ("thing" in outcome ? [outcome.thing] : [])));
  }
  return [...new Map(bugs.map((bug) => [bug.id, bug])).values()];
}

type Parts = {
  readonly input: Input;
  readonly context: Context;
  readonly catalog: Catalog;
  readonly bugs: readonly Bug[];
  readonly comment: string | undefined;
};

async function updateBody({ input, context, catalog, bugs, comment }: Parts): Promise<JsonObject> {
  const products = [...new Set(bugs.map(({ product }) => product ?? undefined))];
  const reading = await readingOf(input, context, catalog);
  const target = {
    ...reading,
    product: textOf(input.flags["product"]) ?? (products.length === 1 ? products[0] : undefined),
  };
  const parameters = UPDATE_BUG.parameters.filter(({ name }) => name !== "comment");
  const body = bodyFrom(input, parameters, target);
  checkProductMove(bugs, body, catalog);
  for (const bug of distinctPlaces(bugs))
    await checkFlags(body["flags"], { ...bug, ...placeIn(body) }, context.tracker.ask);
  const privacy = await commentPrivacy(input, bugs, context);
  return {
    ...body,
    ...(body["flags"] && bugs[0] && bugs.length === 1 ? { flags: aimFlags(bugs[0], body["flags"]) } : {}),
    ...(privacy ? { comment_is_private: { ...(body["comment_is_private"] as JsonObject), ...privacy } } : {}),
    ...(comment === undefined
      ? {}
      : { comment: { body: checkedText("comment", comment), is_private: input.flags["private"] === true } }),
  };
}

/** One bug for each product and component, since these decide which flags there are. */
function distinctPlaces(bugs: readonly Bug[]): readonly Bug[] {
  return [...new Map(bugs.map((bug) => [`${bug.product}\0${bug.component}`, bug])).values()];
}

function placeIn({ product, component }: JsonObject): Pick<Bug, "product" | "component"> {
  return {
    ...(typeof product === "string" ? { product } : {}),
    ...(typeof component === "string" ? { component } : {}),
  };
}
