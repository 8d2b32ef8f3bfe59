import { statusNames } from "../../api/legal-value.ts";
import { checkedText } from "../../api/write/limits.ts";
import { BtError } from "../../errors.ts";
import type { Json, JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import { readProse } from "../prose.ts";
import { bugTargets } from "../targets.ts";
import { type Input, textOf } from "../verb.ts";
import { applyUpdate, namedBugs } from "./update.ts";

/** `bt bug close`: the first closed status that the bugs can move to, with a resolution. */
export async function close(input: Input, context: Context): Promise<void> {
  const catalog = await context.tracker.catalog();
  const status = statusNames(catalog, "closed")[0] ?? "RESOLVED";
  await move(input.args, { status, resolution: textOf(input.flags["resolution"]) ?? "FIXED" }, { input, context });
}

/** `bt bug reopen`: back to the status in which confirmed bugs wait. */
export async function reopen(input: Input, context: Context): Promise<void> {
  await move(input.args, { status: textOf(input.flags["status"]) ?? "CONFIRMED" }, { input, context });
}

/** `bt bug confirm`: somebody else has seen it too. */
export async function confirm(input: Input, context: Context): Promise<void> {
  await move(input.args, { status: "CONFIRMED" }, { input, context });
}

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
  const status: JsonObject = input.flags["start"] ? { status: "IN_PROGRESS" } : {};
  await move(input.args, { assigned_to: login, ...status }, { input, context });
}

type Around = { readonly input: Input; readonly context: Context };

async function move(words: readonly string[], change: Readonly<Record<string, Json>>, around: Around): Promise<void> {
  const { input, context } = around;
  const comment = await readProse({ name: "comment" }, input, context);
  const named = await namedBugs(await bugTargets(words, context), context);
  const said = comment === undefined ? {} : { comment: { body: checkedText("comment", comment) } };
  await applyUpdate({ ...named, body: { ...change, ...said } }, around);
}
