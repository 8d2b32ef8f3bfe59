import { unforeseenParts } from "../../../api/write/changes.ts";
import { BtError } from "../../../errors.ts";
import { RESULT_COLUMNS, type ResultRow } from "../../../view/change-rows.ts";
import type { ChangedThing } from "../../../view/changes.ts";
import { type Column, columnsNamed } from "../../../view/column.ts";
import { bugLabel, countText } from "../../../view/text.ts";
import type { Bug } from "../../../wire/bug-fields.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Field } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { chosenColumns, isJson } from "../output/print.ts";
import type { ChangeResult } from "./edit.ts";
import { type Planned, recordedIn } from "./plan.ts";

/** A change of a bug, made or planned, as a row for programs and as a terminal shows it. */
export type ChangeRow = ChangedThing & ResultRow;

/**
 * The chosen columns; else all in JSON, and `id result` in other formats, with the changes of a
 * preview and the old ids of copies.
 */
export function resultColumns(
  context: Context,
  { hasOldIds = false, isPreview = false }: { readonly hasOldIds?: boolean; readonly isPreview?: boolean },
): readonly Column<ResultRow>[] {
  if (context.output.fields) return chosenColumns(RESULT_COLUMNS, context);
  if (isJson(context)) return RESULT_COLUMNS;
  const old = hasOldIds ? ["old_id"] : [];
  return columnsNamed(RESULT_COLUMNS, ...old, "id", "result", ...(isPreview ? ["changes"] : []));
}

/** The row of a result; `job` is the command that can be undone, or continued. */
export function resultRow(result: ChangeResult, job: string | undefined): ChangeRow {
  const { ref, bug, line, oldId, st, body = {}, changed, error, why, dropped, ignored = [] } = result;
  const isApplied = st === "applied";
  return {
    ...(line === undefined ? bugFacts(ref, bug) : newFacts(ref, body, oldId)),
    ...(changed && { alias: changed.alias }),
    result: st,
    changes: changed?.changes ?? (st === "unchanged" ? {} : undefined),
    last_change_time: changed?.last_change_time || bug?.last_change_time || undefined,
    error: error && errorObject(error),
    recorded: isApplied && recordedIn(body).length > 0 ? recordedIn(body) : undefined,
    extras: isApplied ? recordedText(body, true) : undefined,
    not_applied: ignored.length > 0 ? ignored : dropped,
    missed: isApplied ? undefined : unchangedText(st, why, dropped),
    job: isApplied || st === "created" || error ? job : undefined,
  };
}

function newFacts(ref: string, { summary }: JsonObject, oldId: number | undefined) {
  return { id: ref, old_id: oldId, name: bugLabel(ref), title: String(summary ?? "") };
}

export function plannedRow(item: Planned): ChangeRow {
  if (item.st === "new") {
    const missed = `new bug of ${item.create["product"]}, ${item.create["component"]}`;
    return { ...newFacts(item.ref, item.create, item.oldId), result: "would create", missed };
  }
  if (item.st === "refused")
    return { ...bugFacts(item.ref, item.bug), result: "refused", error: errorObject(item.error), missed: "refused" };
  if (item.st === "unchanged") return resultRow({ ref: String(item.bug.id), ...item }, undefined);
  const { bug, body, expected: changes } = item;
  const recorded = recordedIn(body);
  return {
    ...bugFacts(String(bug.id), bug),
    ...{ last_change_time: bug.last_change_time ?? undefined, result: "would change", changes },
    extras: [...unforeseenParts(body), recordedText(body, false)].filter(Boolean).join(", ") || undefined,
    recorded: recorded.length > 0 ? recorded : undefined,
  };
}

function bugFacts(ref: string, bug: Bug | undefined) {
  return { id: ref, name: bugLabel(ref), title: bug?.summary ?? undefined, alias: bug?.alias ?? undefined };
}

function errorObject({ kind, message, facts: { bugzillaCode: code } }: BtError): JsonObject {
  return { kind, message, ...(code !== undefined && { code }) };
}

/** `28 applied, 1 refused`, in the order of the words; the first is always named. */
export function tallyText(results: readonly string[], words: readonly string[]): string {
  const counts = words.map((word) => ({ word, count: results.filter((result) => result === word).length }));
  const named = counts.filter(({ word, count }) => count > 0 || word === words[0]);
  return named.map(({ word, count }) => `${count} ${word}`).join(", ");
}

/** Words for a bug that was not changed, and for the parameters that were given and not sent. */
export function unchangedText(st: string, why: string | undefined, dropped: readonly string[] = []): string {
  const names = dropped.map((name) => (name === "work_time" ? "hours" : name)).join(" and ");
  return [st, why, names && `${names} not added`].filter(Boolean).join(", ");
}

/** Parts of an update that trackers do not report among the changes. */
export function recordedText(body: JsonObject, isMade: boolean): string | undefined {
  const privacy = Object.keys((body["comment_is_private"] ?? {}) as JsonObject).length;
  const parts = [
    body["comment"] !== undefined && `comment${isMade ? " added" : ""}`,
    body["work_time"] !== undefined && `${body["work_time"]} h of work${isMade ? " added" : ""}`,
    privacy > 0 && `privacy of ${countText(privacy, "comment")}${isMade ? " changed" : ""}`,
  ];
  return parts.filter(Boolean).join(", ") || undefined;
}

/** Fields, for their labels; empty if the tracker does not return them. */
export async function readLabels({ session }: Context): Promise<readonly Field[]> {
  try {
    return (await session.catalog()).received;
  } catch (error) {
    if (error instanceof BtError) return [];
    throw error;
  }
}
