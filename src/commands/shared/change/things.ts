import { type Operation, requestFor } from "../../../api/operations/operation.ts";
import { readChangedItems } from "../../../api/response/response-objects.ts";
import { overwrittenLines, previewChanges, stateBefore } from "../../../api/write/changes.ts";
import type { ChangedThing } from "../../../view/changes.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Changes } from "../../../wire/resources.ts";
import type { Context } from "../../verb.ts";
import { type ChangeRow, noteOverwritten, recordedTexts, resultColumns, showPlanned, showRows } from "./output.ts";

/** An update of groups or attachments, all or none, and how one is named. */
type ThingsUpdate<Thing> = {
  readonly operation: Operation;
  readonly noun: "group" | "attachment";
  readonly things: readonly Thing[];
  readonly body: JsonObject;
  readonly titles: (thing: Thing) => Pick<ChangedThing, "name" | "title">;
  readonly dryRun: boolean;
};

type Changed = { readonly id: number | string; readonly last_change_time?: string; readonly changes: Changes };

/** Sends an update of groups or attachments as a job of its own, and prints the changes. */
export async function updateThings<Thing extends { readonly id: number }>(
  { operation, noun, things, body, titles, dryRun }: ThingsUpdate<Thing>,
  context: Context,
): Promise<void> {
  const byId = new Map(things.map((thing) => [String(thing.id), thing]));
  const request = requestFor(operation, { ids: [...byId.values()].map(({ id }) => id), ...body });
  const { comment, ...fields } = body;
  const recorded = comment === undefined ? [] : ["comment"];
  const rowOf = (one: Changed): ChangeRow => {
    const id = String(one.id);
    const thing = byId.get(id);
    const isChanged = recorded.length > 0 || Object.keys(one.changes).length > 0;
    const result = dryRun ? "would change" : "applied";
    return {
      ...one,
      ...(thing ? titles(thing) : { name: id }),
      id,
      result: isChanged ? result : "unchanged",
      ...(recorded.length > 0 && { recorded, extras: recordedTexts(recorded, body, !dryRun).join() }),
    };
  };
  if (dryRun) {
    const rows = things.map((thing) => rowOf({ id: thing.id, changes: previewChanges(thing as JsonObject, fields) }));
    return showPlanned([request], rows, context, `${noun}s`);
  }
  const journal = await context.session.journal();
  const response = await journal.deliver(`${noun} update`, { request, before: stateBefore(things, body) });
  const changed = readChangedItems<Changed>(response, `${noun}s`);
  const shown = changed.map(rowOf).filter(({ result }) => result !== "unchanged" || context.output.format !== "ids");
  await showRows(shown, resultColumns(context), context);
  const lines = changed.flatMap(({ id, changes }) =>
    overwrittenLines((byId.get(String(id)) ?? {}) as JsonObject, body, changes).map((line) => `${noun} ${id}: ${line}`),
  );
  await noteOverwritten(lines, context);
}
