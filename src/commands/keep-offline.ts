import type { PublicConsent, SeenVersions } from "../api/delivery/journal.ts";
import { writeKind } from "../api/delivery/write-kinds.ts";
import { partition } from "../api/lists.ts";
import { standInId, withTemporaryNames } from "../api/offline/temporary-names.ts";
import { MAX_ATOMIC_BUGS } from "../api/operations/write-bugs.ts";
import { wholeEditNames } from "../api/write/body.ts";
import { type UpdatePart, updateRequest, writeTargets } from "../api/write/update-request.ts";
import { BtError, usage } from "../errors.ts";
import { openOfflineJobs } from "../session/offline/kept-jobs.ts";
import type { KeepWrite, KeptResult, OfflineWrite } from "../session/offline/offline-queue.ts";
import { plain } from "../view/text.ts";
import type { Bug } from "../wire/bug-fields.ts";
import type { JsonObject } from "../wire/exchange.ts";
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

/**
 * Keeps an update: a job per part. In a small one, edits of whole values have a job per bug, whose value may be another one
 * when it is sent; in a bulk update, each new bug has a job of its own, since it may never be created.
 */
export async function keepUpdate(
  parts: readonly UpdatePart[],
  exposed: PublicConsent | undefined,
  around: Around,
): Promise<void> {
  const writes: OfflineWrite[] = [];
  for (const { bugs, body, only } of parts) {
    for (const some of jobsOf(bugs, body)) {
      const ids = some.map(({ id }) => id ?? 0);
      const scope = isMany(some) ? { only } : {};
      writes.push({ request: updateRequest(ids, body), exposed, seen: await seenVersions(some, around), ...scope });
    }
  }
  await keepAll(writes, around);
}

/** Sets of bugs that share a job. */
function jobsOf(bugs: readonly Bug[], body: JsonObject): readonly (readonly Bug[])[] {
  if (!isMany(bugs)) return wholeEditNames(body).length > 0 ? bugs.map((bug) => [bug]) : [bugs];
  const [created, others] = partition(bugs, ({ id }) => (id ?? 0) >= standInId(""));
  const known = isMany(others) ? [others] : jobsOf(others, body);
  return [...known.filter(({ length }) => length > 0), ...created.map((bug) => [bug])];
}

function isMany({ length }: readonly Bug[]): boolean {
  return length > MAX_ATOMIC_BUGS;
}

/**
 * Times after which bugs must not have been modified by others when their conditional update is sent.
 * @throws BtError of kind usage if an own comment is queued, since it will modify its bug at an unknown time
 */
async function seenVersions(bugs: readonly Bug[], { input, context }: Around): Promise<SeenVersions | undefined> {
  const { flags } = input;
  if (!flags["if-unchanged"] && flags["unchanged-since"] === undefined) return undefined;
  const { preconditionOf } = await import("./bug/precondition.ts");
  const { seen = new Map<number, string>(), latest } = preconditionOf(input, bugs, context) ?? {};
  const known = [...seen].filter(([, time]) => time !== ""); // a bug that is not created yet has none
  const open = openOfflineJobs(context.io, context.session.address);
  const jobs = open.filter(({ head }) => head.request.operation === "Create Comments");
  const waiting = jobs.flatMap(({ head }) => writeTargets(head.request));
  const commented = known.find(([id]) => waiting.includes(String(id)));
  if (commented)
    throw usage(`a comment on bug ${commented[0]} is queued and will modify it`, "bt job send --all sends it");
  const moments = known.map(([id, time]) => [id, latest !== undefined && latest < time ? latest : time] as const);
  return Object.fromEntries(moments);
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

const ABOUT_SENDING = ["strict"];

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
