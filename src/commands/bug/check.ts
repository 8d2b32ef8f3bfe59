import { BtError } from "../../errors.ts";
import { flagValue, wholeNumber } from "../../session/flags.ts";
import { matchText } from "../../view/messages.ts";
import { showList } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { bugColumns, withSaved } from "./search.ts";
import { readCriteria, reportCriteria } from "./search-criteria.ts";
import { foundBugs } from "./search-plan.ts";

/**
 * `bt bug check`: lists the bugs that match, and fails if there are more or fewer than allowed.
 * @throws BtError of kind no for another number of bugs
 */
export async function checkBugCount(given: Input, context: Context): Promise<void> {
  const limit = (flag: string) => {
    const text = flagValue(given.flags[flag]);
    return text === undefined ? undefined : wholeNumber(flag, text);
  };
  const min = limit("min") ?? 0;
  const max = limit("max") ?? (min > 0 ? Number.POSITIVE_INFINITY : 0);
  const criteria = await readCriteria(await withSaved(given, context), context, "check");
  const columns = await bugColumns(context);
  const include = columns.flatMap((column) => column.needs);
  const pages = foundBugs(criteria, { include, limit: undefined, offset: 0 }, context);
  const count = await showList(context, { columns, pages });
  await reportCriteria(criteria, context);
  if (count > max) throw new BtError("no", `${matchText(count)}, at most ${max} allowed`);
  if (count < min) throw new BtError("no", `${matchText(count)}, at least ${min} required`);
}
