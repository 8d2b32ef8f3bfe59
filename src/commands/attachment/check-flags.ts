import { requestAll } from "../../api/batch.ts";
import { bugPlan } from "../../api/bugs/bug-numbers.ts";
import { checkFlags } from "../../api/write/flags.ts";
import type { Flag } from "../../wire/bug-values.ts";
import type { Json } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";

/**
 * Checks flag changes against the flag types for attachments of each bug; `setOn` are the flags already set, by bug.
 * @throws BtError of kind usage for an unknown flag
 */
export async function checkAttachmentFlags(
  flags: Json | undefined,
  setOn: ReadonlyMap<number, Flag[]>,
  { session }: Context,
): Promise<void> {
  if (flags === undefined) return;
  const bugs = [...setOn.keys()].map(String);
  for (const outcome of await requestAll(bugs, bugPlan(["product", "component"]), session.send)) {
    if ("error" in outcome) throw outcome.error;
    const set = setOn.get(outcome.thing.id) ?? [];
    await checkFlags(flags, { ...outcome.thing, flags: set, target: "attachment" }, session.send);
  }
}
