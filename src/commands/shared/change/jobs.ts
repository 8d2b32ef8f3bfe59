import type { OpenJob, Write } from "../../../api/delivery/outcome.ts";
import { requestFor } from "../../../api/operations/operation.ts";
import { CREATE_BUG } from "../../../api/operations/write-bugs.ts";
import { fieldsSentWhole, withInitialValues, withWholeValues } from "../../../api/write/body.ts";
import { updateRequest } from "../../../api/write/update-request.ts";
import { stateBefore } from "../../../api/write/write-state.ts";
import { BtError } from "../../../errors.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import type { ChangeOptions } from "./edit.ts";
import { readLists } from "./lists.ts";
import { type Able, ableIn, type New, newIn, type Plan } from "./plan.ts";

/** The job of a plan, and its writes in their order. */
export type ChangeJob = {
  readonly name: string | undefined; // undefined if nothing is to be sent, or nothing is stored
  readonly isBulk: boolean;
  readonly isGuarded: boolean; // a bug that was modified is not to be changed
  readonly writes: readonly PlannedWrite[];
  readonly open: Pick<OpenJob, "send" | "add" | "skip" | "refuse">;
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
  const isGuarded = able.some(({ since }) => since !== undefined);
  const facts = { isBulk: able.length + created.length > 1, isGuarded };
  if (able.length + created.length === 0) return use({ ...facts, name: undefined, writes: [], open: NO_JOB });
  const writes = (await readLists(plan, context)).flatMap((list) => [...newWrites(list), ...updatesOf(ableIn(list))]);
  const journal = await context.session.writes.journal();
  const plans = {
    ...{ command, key, writes: writes.map(({ write }) => write) },
    edits: [...new Set(able.flatMap(({ body }) => fieldsSentWhole(body)))],
    ...(isGuarded && { guarded: true as const }),
    ...(able.some(({ isExposed }) => isExposed) && { exposes: true as const }),
  };
  return journal.begin(plans, (open) => use({ ...facts, name: open.isStored ? open.name : undefined, writes, open }));
}

const missingJob = () => {
  throw new BtError("internal", "a write without a job");
};
const NO_JOB = { send: missingJob, add: missingJob, skip: missingJob, refuse: missingJob };

function newWrites(list: Plan): PlannedWrite[] {
  return newIn(list)
    .filter(({ id }) => id === undefined)
    .map((item) => {
      const request = requestFor(CREATE_BUG, withInitialValues(item.create));
      return { write: { request, key: item.key }, item };
    });
}

/** The update of bugs that get the same, and their second one, if they have any. */
function updatesOf(able: readonly Able[]): PlannedWrite[] {
  const [first] = able;
  if (first === undefined) return [];
  const { body, next } = first;
  const bugs = able.map(({ bug }) => bug);
  const between = bugs.map((bug) => ({ ...bug, ...body }) as Bug);
  return [{ write: updateOf(bugs, body) }, ...(next ? [{ write: updateOf(between, next) }] : [])];
}

/** An update of bugs as they are now; edits of values that are sent whole differ from bug to bug. */
export function updateOf(bugs: readonly Bug[], body: JsonObject): Write {
  const whole = withWholeValues(body, (bugs[0] ?? {}) as JsonObject);
  const request = updateRequest(
    bugs.map(({ id }) => id),
    whole,
  );
  return { request, before: stateBefore(bugs, body) };
}
