import type { OpenJob, Write } from "../../../api/delivery/outcome.ts";
import { MAX_ATOMIC_BUGS } from "../../../api/operations/write-bugs.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import { createRequest, stateBefore, updateRequest } from "../../../api/write/write-state.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import type { ChangeOptions } from "./edit.ts";
import { type Able, ableIn, bodyKey, type New, newIn, type Plan } from "./plan.ts";

/** The job of a plan, and its writes in their order. */
export type ChangeJob = {
  readonly name: string | undefined; // undefined if nothing is to be sent, or nothing is stored
  readonly isBulk: boolean;
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  readonly writes: readonly PlannedWrite[];
  readonly open: Pick<OpenJob, "send" | "add" | "skip" | "refuse"> | undefined; // no writes
};

/** A write of a plan; of a new bug, with its item. */
type PlannedWrite = { readonly write: Write; readonly item?: New };

/** Begins the job of a plan before the first request, and runs `use` while it is held. */
export async function withJob<Result>(
  plan: Plan,
  { command = "bug update", key }: ChangeOptions,
  context: Context,
  use: (job: ChangeJob) => Promise<Result>,
): Promise<Result> {
  const [able, created] = [ableIn(plan), newIn(plan)];
  const count = able.length + created.length;
  const isGuarded = able.some(({ since }) => since !== undefined);
  if (count === 0) return use({ name: undefined, isBulk: false, isGuarded, writes: [], open: undefined });
  const writes = await readWrites(plan, context);
  const journal = await context.session.journal();
  const plans = {
    ...{ command, key, writes: writes.map(({ write }) => write) },
    edits: [...new Set(able.flatMap(({ body }) => fieldsSentWhole(body)))],
    ...(isGuarded && { guarded: true as const }),
    ...(able.some(({ isExposed }) => isExposed) && { exposes: true as const }),
  };
  return journal.begin(plans, (open) =>
    use({ name: open.isStored ? open.name : undefined, isBulk: count > 1, isGuarded, writes, open }),
  );
}

/** The writes of a plan in order: each new bug, and updates of lists of bugs with second ones. */
export async function readWrites(plan: Plan, { session }: Context): Promise<readonly PlannedWrite[]> {
  const dialect = await session.dialect.name();
  const most = dialect === "bugzilla" ? MAX_ATOMIC_BUGS : 1;
  const lists: (readonly [New] | Able[])[] = [];
  for (const item of plan) {
    const last = lists.at(-1);
    const first = last?.[0];
    if (item.st === "new" && item.id === undefined) lists.push([item]);
    if (item.st !== "able") continue;
    const fits = first?.st === "able" && (last?.length ?? 0) < most && isAlike(first, item);
    if (fits) (last as Able[]).push(item);
    else lists.push([item]);
  }
  return lists.flatMap((list) => {
    const [first] = list;
    if (first?.st !== "new") return updatesOf(list as Able[]);
    const request = createRequest(withInitialValues({ ...first.create, ...first.times }), dialect);
    return [{ write: { request, key: first.key }, item: first }];
  });
}

/** True if both get one body without another bug, a unique name, or a value made for each bug. */
function isAlike(one: Able, { body, next }: Able): boolean {
  if (bodyKey({ ...one.body, next: one.next ?? null }) !== bodyKey({ ...body, next: next ?? null })) return false;
  return fieldsSentWhole(body).length === 0 && !ONE_BUG_ONLY.some((name) => name in body);
}

const ONE_BUG_ONLY = ["depends_on", "blocks", "dupe_of", "alias"];

/** The update of bugs that get the same, and their second one, if they have any. */
function updatesOf(able: readonly Able[]): PlannedWrite[] {
  const [first] = able;
  if (first === undefined) return [];
  const { next } = first;
  const body = { ...first.body, ...first.times };
  const bugs = able.map(({ bug }) => bug);
  const between = bugs.map((bug) => ({ ...bug, ...body }) as Bug);
  return [{ write: updateOf(bugs, body) }, ...(next ? [{ write: updateOf(between, next) }] : [])];
}

/** An update of bugs as they are now. */
export function updateOf(bugs: readonly Bug[], body: JsonObject): Write {
  const whole = withWholeValues(body, (bugs[0] ?? {}) as JsonObject);
  const ids = bugs.map(({ id }) => id);
  return { request: updateRequest(ids, whole), before: stateBefore(bugs, body) };
}
