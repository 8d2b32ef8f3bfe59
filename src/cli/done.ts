import type { Tracker } from "../commands/context.ts";
import { BtError, withDetails, withFacts } from "../errors.ts";
import type { Io } from "../io.ts";
import { plain } from "../view/text.ts";
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

/** An error about the shape of an answer names the request, and says so when no write has come before it. */
export function withAsked(error: unknown, way: { readonly tracker: Tracker }, done: readonly Done[]): unknown {
  if (!(error instanceof BtError) || error.kind !== "reply" || error.facts.asked !== undefined) return error;
  const asked = way.tracker.lastAsked();
  if (!asked?.startsWith("GET ")) return error;
  const changed = done.length === 0 ? ("nothing" as const) : undefined;
  return new BtError(error.kind, error.message, { changed, ...error.facts, asked });
}

/** An error that came after writes names them: who reads only of a full disk would do them again. */
export async function withDone(error: unknown, done: readonly Done[]): Promise<unknown> {
  if (!(error instanceof BtError)) return error;
  const applied = done.filter(({ request }) => request !== error.facts.notApplied);
  if (applied.length === 0) return error;
  const told = (await namesOf(applied)).map((name) => `already done: ${name}`);
  const { changed } = error.facts;
  return withFacts(withDetails(error, told), { changed: changed === "nothing" ? undefined : changed });
}

/** Where nobody reads stdout any more, the applied writes are named on stderr, with the ids of what was created. */
export async function reportUnread(done: readonly Done[], { err }: Pick<Io, "err">): Promise<void> {
  for (const name of await namesOf(done)) await err(`bt: applied, but stdout is closed: ${plain(name)}\n`);
}

async function namesOf(done: readonly Done[]): Promise<readonly string[]> {
  if (done.length === 0) return [];
  const { kindOf } = await import("../api/delivery/kinds.ts");
  return done.map(({ request, answer }) => `${kindOf(request).what(request)}${numberIn(answer)}`);
}

function numberIn(answer: Json): string {
  const id = answer !== null && typeof answer === "object" && "id" in answer ? answer["id"] : undefined;
  return typeof id === "number" ? `, ${id}` : "";
}
