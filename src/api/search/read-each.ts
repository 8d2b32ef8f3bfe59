import type { Bug } from "../../wire/bug-fields.ts";
import type { FieldChange, HistoryEntry } from "../../wire/resources.ts";
import { PRONOUNS } from "../../wire/search-names.ts";
import { ATTACHMENTS_OF_BUGS, historyPlan, readPartsOfBugs } from "../bugs.ts";
import { partition } from "../lists.ts";
import type { SendRequest } from "../operations/operation.ts";
import { isSameUser } from "../people.ts";
import { type Knowledge, meetsFlag } from "../query/evaluate.ts";
import { isListChange } from "../query/rows.ts";
import type { Change, FlagTerm } from "../query/tree.ts";

/**
 * Ids of the candidates that meet a condition on several facts about one flag, or on a change of an item of a list.
 * @throws BtError if a candidate cannot be read
 */
export async function idsByReading(
  leaf: FlagTerm | Change,
  candidates: readonly Bug[],
  known: Knowledge,
  send: SendRequest,
): Promise<number[]> {
  const idsOf = (bugs: readonly { readonly id: number }[]) => bugs.map(({ id }) => String(id));
  if (leaf.kind === "change") {
    const histories = await readPartsOfBugs(idsOf(candidates), historyPlan(undefined), send);
    const met = [...histories].filter(([, { history }]) => history.some((entry) => hasChange(entry, leaf, known)));
    return met.map(([id]) => Number(id));
  }
  const isMet = ({ flags }: Pick<Bug, "flags">) => (flags ?? []).some((flag) => meetsFlag(flag, leaf, known));
  const [own, rest] = partition(candidates, isMet);
  const attached = await readPartsOfBugs(idsOf(rest), ATTACHMENTS_OF_BUGS, send);
  const met = [...attached].filter(([, attachments]) => attachments.some(isMet));
  return [...own.map(({ id }) => id), ...met.map(([id]) => Number(id))];
}

/** True if an entry of a history has a change that meets all parts of a condition. */
export function hasChange({ who, when, changes }: HistoryEntry, wanted: Change, { login }: Knowledge): boolean {
  const { since, before } = wanted;
  const by = wanted.by === PRONOUNS.me ? (login ?? wanted.by) : wanted.by;
  if (by !== undefined && !isSameUser(who, by)) return false;
  if ((since !== undefined && when < since) || (before !== undefined && when >= before)) return false;
  return changes.some((change) => isChange(change, wanted));
}

/** Of a list, a change has items; any other value is compared whole. */
function isChange({ field_name, removed, added }: FieldChange, wanted: Change): boolean {
  const { field, from, to } = wanted;
  const isList = isListChange(wanted);
  const has = (side: string, value: string | undefined) =>
    value === undefined || (isList ? hasItem(side, value, field) : side.toLowerCase() === value.toLowerCase());
  return [field.api, field.chart].includes(field_name) && has(removed, from) && has(added, to);
}

/** True if a list of a history, `a, b`, has an item. Lists of one second are joined by a space. */
function hasItem(list: string, item: string, { chart, isCustom }: Change["field"]): boolean {
  const isWithBlanks = isCustom || chart === "bug_group";
  let items = isWithBlanks ? list.trim() : list.trim().replace(/[\s,]+/g, ", ");
  if (chart === "flagtypes.name" && !item.includes("(")) items = items.replace(/\([^)]*\)/g, "");
  if (chart === "flagtypes.name" && !/[?+-](?:\(|$)/.test(item)) items = items.replace(/[?+-](?=,|$)/g, "");
  return `, ${items}, `.toLowerCase().includes(`, ${item}, `.toLowerCase());
}
