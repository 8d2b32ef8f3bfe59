import type { Bug } from "../../wire/bug-fields.ts";
import { withSaved } from "../bug/search.ts";
import { readCriteria, reportCriteria } from "../bug/search-criteria.ts";
import { foundBugs } from "../bug/search-plan.ts";
import type { Context, Input } from "../verb.ts";

/** The bugs of a report with these fields, page by page: those that match the criteria, or all without any. */
export async function* reportedBugs(
  input: Input,
  include: readonly string[],
  context: Context,
): AsyncGenerator<readonly Bug[]> {
  const { args, flags } = await withSaved(input, context);
  const criteria = await readCriteria({ args, flags: { ...flags, all: true } }, context);
  yield* foundBugs({ ...criteria, order: undefined }, { include, limit: undefined, offset: 0 }, context);
  await reportCriteria(criteria, context);
}
