import type { PublicConsent } from "../api/delivery/journal.ts";
import { writeKind } from "../api/delivery/write-kinds.ts";
import { withTemporaryNames } from "../api/offline/temporary-names.ts";
import { type UpdatePart, updateRequest } from "../api/write/update-request.ts";
import { wholeEditNames } from "../api/write/whole-edits.ts";
import { BtError, usage } from "../errors.ts";
import type { KeepWrite, KeptResult, OfflineWrite } from "../session/offline-queue.ts";
import { plain } from "../view/text.ts";
import { isJson, jsonText } from "./output.ts";
import type { Context, Input } from "./verb.ts";

/** A command that keeps what it would send. */
type Around = { readonly input: Input; readonly context: Context };

/** Keeps a write, and prints its job, or the temporary name of the new bug. */
export async function keepOne(write: OfflineWrite, { input, context }: Around): Promise<void> {
  const kept = await keeperOf(input, context)(write);
  if (isJson(context)) await context.io.out(jsonText(jsonOf(write, kept), context));
  else await context.io.out(`${kept.name ?? kept.job}\n`);
  await report([kept], context);
}

/** Keeps an update: a job per part; edits of whole values have one per bug, whose value may be another one when it is sent. */
export async function keepUpdate(
  parts: readonly UpdatePart[],
  exposed: PublicConsent | undefined,
  around: Around,
): Promise<void> {
  const writes = parts.flatMap(({ bugs, body }) => {
    const groups = wholeEditNames(body).length > 0 ? bugs.map((bug) => [bug]) : [bugs];
    return groups.map((some) => ({
      request: updateRequest(
        some.map(({ id }) => id ?? 0),
        body,
      ),
      exposed,
    }));
  });
  await keepAll(writes, around);
}

/** Keeps writes in order, and prints their jobs. */
async function keepAll(writes: readonly OfflineWrite[], { input, context }: Around): Promise<void> {
  const keep = keeperOf(input, context);
  const kept: KeptResult[] = [];
  for (const write of writes) {
    const one = await keep(write);
    kept.push(one);
    if (!isJson(context)) await context.io.out(`${one.job}\n`);
  }
  const rows = writes.map((write, at) => jsonOf(write, kept[at] ?? { job: "" }));
  if (isJson(context)) await context.io.out(jsonText(rows, context));
  await report(kept, context);
}

/** @throws BtError of kind usage for flags about sending */
function keeperOf({ flags }: Input, { session }: Context): KeepWrite {
  const stray = ABOUT_SENDING.find((name) => flags[name] !== undefined);
  if (stray !== undefined)
    throw usage(`--${stray} and --offline cannot be used together`, "bt job send compares each field before it sends");
  if (session.mirror?.keep) return session.mirror.keep;
  throw new BtError("internal", "a tracker to which writes are sent");
}

const ABOUT_SENDING = ["if-unchanged", "unchanged-since", "resend-if-absent", "no-journal", "strict"];

function jsonOf({ request }: OfflineWrite, { job, name }: KeptResult) {
  const what = writeKind(request).describe(withTemporaryNames(request));
  return { job, status: "waiting", ...(name === undefined ? {} : { name }), what };
}

async function report(kept: readonly KeptResult[], { io, session }: Context): Promise<void> {
  const jobs = kept.map(({ job, name }) => (name === undefined ? job : `${job} (${name})`)).join(", ");
  const words = `kept as ${kept.length === 1 ? "job" : "jobs"} ${jobs}, checked against the mirror ${session.mirror?.name}`;
  await io.err(plain(`${words}; bt job send --all sends ${kept.length === 1 ? "it" : "them"}`));
  await io.err("\n");
}
