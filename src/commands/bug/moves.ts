import { type Catalog, fieldOf } from "../../api/catalog.ts";
import { legalValue, statusNames } from "../../api/legal-value.ts";
import { checkedText } from "../../api/write/limits.ts";
import type { Meant } from "../../api/write/refusals.ts";
import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import { withCatalog } from "../catalog.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { applyUpdate, namedBugs } from "./update.ts";

/** `bt bug close`: the first closed status of the workflow, with a resolution. */
export async function close(input: Input, context: Context): Promise<void> {
  const change = await withCatalog(context.tracker, (catalog) => ({
    status: statusNames(catalog, "closed")[0] ?? "RESOLVED",
    resolution: legalValue(fieldOf(catalog, "resolution"), textOf(input.flags["resolution"]) ?? "FIXED"),
  }));
  await move(input.args, change, { input, context });
}

/** `bt bug reopen`: back to the status of reopened bugs where there is one, else to that in which confirmed bugs wait. */
export async function reopen(input: Input, context: Context): Promise<void> {
  const status = await withCatalog(context.tracker, (catalog) => {
    const named = textOf(input.flags["status"]);
    if (named !== undefined) return legalValue(fieldOf(catalog, "status"), named);
    return statusNames(catalog, "open").find((name) => name === "REOPENED") ?? workStatus(catalog, 0);
  });
  const statuses = statusNames(await context.tracker.catalog(), "closed");
  await move(input.args, { status }, { input, context, meant: { statuses, word: "closed" } });
}

/** `bt bug confirm`: somebody else has seen it too. */
export async function confirm(input: Input, context: Context): Promise<void> {
  const status = workStatus(await context.tracker.catalog(), 0);
  await move(input.args, { status }, { input, context, meant: { statuses: [UNCONFIRMED], word: "unconfirmed" } });
}

/** The open statuses of confirmed bugs, in the order of the workflow: first those that wait, then those at work. */
function workStatus(catalog: Catalog, at: 0 | 1): string {
  const open = statusNames(catalog, "open").filter((name) => name !== UNCONFIRMED);
  return open[at] ?? open[0] ?? "CONFIRMED";
}

const UNCONFIRMED = "UNCONFIRMED";

/** `bt bug dup`: closes a bug as a repetition of another. */
export async function dup(input: Input, context: Context): Promise<void> {
  const [bug = "", original = ""] = input.args;
  const { bugs } = await namedBugs(await bugTargets([original], context), context);
  const [of] = bugs;
  await move([bug], { dupe_of: of?.id ?? 0 }, { input, context });
}

/** `bt bug take`: makes the requester the assignee, and says that work has begun when asked to. */
export async function take(input: Input, context: Context): Promise<void> {
  const login = await context.tracker.login();
  if (login === undefined) {
    throw new BtError("auth", "your login on this tracker is not known", { hint: "bt auth login", changed: "nothing" });
  }
  const status: JsonObject = input.flags["start"] ? { status: workStatus(await context.tracker.catalog(), 1) } : {};
  await move(input.args, { assigned_to: login, ...status }, { input, context });
}

type Around = { readonly input: Input; readonly context: Context; readonly meant?: Meant };

async function move(words: readonly string[], change: Readonly<Record<string, Json>>, around: Around): Promise<void> {
  const { input, context, meant } = around;
  const comment = await readProse({ name: "comment" }, input, context);
  const named = await namedBugs(await bugTargets(words, context), context);
  const said = comment === undefined ? {} : { comment: { body: checkedText("comment", comment) } };
  await applyUpdate({ ...named, body: { ...change, ...said }, ...(meant ? { meant } : {}) }, around);
}
