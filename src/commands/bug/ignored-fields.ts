import { requestEach } from "../../api/batch.ts";
import { bugPlan } from "../../api/bug-numbers.ts";
import type { Doubt } from "../../api/write/overwritten.ts";
import { fieldsNotAsWished, NOT_APPLIED_HINT } from "../../api/write/read-back.ts";
import type { UpdatePart } from "../../api/write/update-request.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../verb.ts";

/** Fields in doubt that the tracker ignored, by bug, as they are read back; if that fails, it is noted. */
export async function ignoredFields(
  doubts: readonly Doubt[],
  context: Context,
): Promise<NonNullable<UpdatePart["ignored"]>> {
  const now = await bugsNow(doubts, context);
  const found = doubts.map(({ id, body, bug }) => {
    const read = now.get(id);
    return [id, read ? fieldsNotAsWished(read, body, bug as JsonObject) : []] as const;
  });
  return new Map(found.filter(([, names]) => names.length > 0));
}

/** The bugs with the fields in doubt, as far as they can be read. */
async function bugsNow(doubts: readonly Doubt[], { io, session }: Context): Promise<ReadonlyMap<number, JsonObject>> {
  const fields = [...new Set(doubts.flatMap(({ body }) => Object.keys(body)))];
  const ids = doubts.map(({ id }) => String(id));
  const now = new Map<number, JsonObject>();
  const read = async () => {
    for await (const outcomes of requestEach(ids, bugPlan(fields), session.ask)) {
      for (const outcome of outcomes) {
        if ("error" in outcome) throw outcome.error;
        now.set(Number(outcome.ref), outcome.thing as JsonObject);
      }
    }
  };
  await read().catch(async (error) => {
    if (!(error instanceof BtError)) throw error;
    await io.err(`could not verify what was applied: ${plain(error.message)}\n`);
  });
  return now;
}

/** @throws BtError of kind partial for fields that the tracker ignored */
export function refuseIgnored(ignored: NonNullable<UpdatePart["ignored"]>): void {
  const lines = [...ignored].map(([id, names]) => `bug ${id}: not applied: ${names.join(", ")}`);
  const [first] = lines;
  if (first === undefined) return;
  throw new BtError("partial", lines.length === 1 ? first : `not everything was applied to ${lines.length} bugs`, {
    details: lines.length === 1 ? [] : lines,
    hint: NOT_APPLIED_HINT,
    changed: "some",
  });
}
