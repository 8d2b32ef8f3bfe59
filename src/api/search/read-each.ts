import type { Bug } from "../../wire/bug-fields.ts";
import type { FieldChange } from "../../wire/resources.ts";
import { foundThings, requestAll } from "../batch.ts";
import { ATTACHMENTS_OF_BUGS, historyPlan } from "../bugs/bug-parts.ts";
import { partition } from "../lists.ts";
import type { SendRequest } from "../operations/operation.ts";
import { isSameUser } from "../people.ts";
import { type Knowledge, meetsFlag } from "../query/evaluate.ts";
import type { Change, FlagTerm } from "../query/tree.ts";

/** Ids of the candidates that meet a condition on several facts about one flag, or on a change of an item of a list. */
export async function idsByReading(
  leaf: FlagTerm | Change,
  candidates: readonly Bug[],
  known: Knowledge,
  send: SendRequest,
) {
  if (leaf.kind === "change") {
    const histories = foundThings(
      await requestAll(
        candidates.map(({ id }) => String(id)),
        historyPlan(undefined),
        send,
      ),
    );
    const by = leaf.by === "%user%" ? (known.login ?? leaf.by) : leaf.by;
    const parts = { ...leaf, ...(by === undefined ? {} : { by }) };
    const met = histories.filter(({ history }) =>
      history.some(
        ({ who, when, changes }) => isEntry(who, when, parts) && changes.some((change) => isChange(change, parts)),
      ),
    );
    return met.map(({ id }) => id);
  }
  const [own, rest] = partition(candidates, ({ flags }) => (flags ?? []).some((flag) => meetsFlag(flag, leaf, known)));
  const attached = await requestAll(
    rest.map(({ id }) => String(id)),
    ATTACHMENTS_OF_BUGS,
    send,
  );
  const met = foundThings(attached).flatMap((attachments) =>
    attachments
      .filter(({ flags }) => (flags ?? []).some((flag) => meetsFlag(flag, leaf, known)))
      .map(({ bug_id }) => bug_id),
  );
  return [...own.map(({ id }) => id), ...met];
}

/** True if a history entry is by the user and of the time of a change. */
export function isEntry(who: string, when: string, { by, since, before }: Change): boolean {
  return (
    (by === undefined || isSameUser(who, by)) &&
    (since === undefined || when >= since) &&
    (before === undefined || when < before)
  );
}

/** True if a change of a history is of the field and values of a condition. */
export function isChange({ field_name, removed, added }: FieldChange, { field, from, to }: Change): boolean {
  const has = (list: string, item: string | undefined) => item === undefined || hasItem(list, item, field);
  return [field.api, field.chart].includes(field_name) && has(removed, from) && has(added, to);
}

/** True if a list of a history, `a, b`, has an item. Lists of one second are joined by a space; requestees of flags are left out. */
function hasItem(list: string, item: string, { chart, isCustom }: Change["field"]): boolean {
  const isWithBlanks = isCustom || chart === "bug_group";
  let items = isWithBlanks ? list.trim() : list.trim().replace(/[\s,]+/g, ", ");
  if (chart === "flagtypes.name" && !item.includes("(")) items = items.replace(/\([^)]*\)/g, "");
  if (chart === "flagtypes.name" && !/[?+-](?:\(|$)/.test(item)) items = items.replace(/[?+-](?=,|$)/g, "");
  return `, ${items}, `.toLowerCase().includes(`, ${item}, `.toLowerCase());
}
