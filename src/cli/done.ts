import type { Tracker } from "../commands/context.ts";
import { BtError } from "../errors.ts";
import type { Json, Request } from "../wire/exchange.ts";

/** A write that the tracker has confirmed. */
export type Done = { readonly request: Request; readonly answer: Json };

/** The same tracker, which notes every write that it has delivered. */
export function noting(tracker: Tracker, done: Done[]): Tracker {
  return {
    ...tracker,
    deliver: async (write) => {
      const answer = await tracker.deliver(write);
      done.push({ request: write.request, answer });
      return answer;
    },
  };
}

/** An error that came after writes names them: who reads only of a full disk would do them again. */
export async function withDone(error: unknown, done: readonly Done[]): Promise<unknown> {
  if (!(error instanceof BtError) || done.length === 0) return error;
  const { kindOf } = await import("../api/delivery/kinds.ts");
  const told = done.map(({ request, answer }) => `already done: ${kindOf(request).what(request)}${numberIn(answer)}`);
  const { details = [], changed, ...facts } = error.facts;
  const rest = changed === "nothing" ? undefined : changed;
  return new BtError(error.kind, error.message, { ...facts, changed: rest, details: [...details, ...told] });
}

function numberIn(answer: Json): string {
  const id = answer !== null && typeof answer === "object" && "id" in answer ? answer["id"] : undefined;
  return typeof id === "number" ? `, ${id}` : "";
}
