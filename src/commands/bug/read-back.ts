import { get } from "../../api/operation.ts";
import { readBugs, unexpectedShape } from "../../api/read.ts";
import { fieldsToReadBack, notApplied } from "../../api/write/not-applied.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";

/**
 * Reads a new bug back, with one request, where something was given that a tracker may drop. The fields that were not
 * applied; undefined when nothing had to be read, or it could not be: that is a note, since the bug is there.
 */
export async function readBack(id: number, body: JsonObject, context: Context): Promise<readonly string[] | undefined> {
  const names = fieldsToReadBack(body);
  if (names.length === 0) return undefined;
  const request = get(`/rest/bug/${id}`, [["include_fields", ["id", ...names].join(",")]]);
  try {
    const bug = readBugs(await context.tracker.ask(request)).find((one) => one.id === id);
    if (bug === undefined) throw unexpectedShape(`bug ${id}`);
    await reportGroups(body, bug, context);
    return notApplied(body, bug as JsonObject);
  } catch (error) {
    if (!(error instanceof BtError)) throw error;
    await context.io.err(`created bug ${id}; could not check what was applied: ${plain(error.message)}\n`);
    return undefined;
  }
}

/** A product may require groups of a bug that was to have none. */
async function reportGroups(
  { groups: given, product }: JsonObject,
  { id, groups }: Bug,
  { io }: Context,
): Promise<void> {
  if (!Array.isArray(given) || given.length > 0 || !groups?.length) return;
  await io.err(`${plain(`created bug ${id}; ${product} put it in the group ${groups.join(", ")}`)}\n`);
}

/** Reports what was not applied to a new bug: as a warning, or as an error where `--strict` asks for all or nothing. */
export async function reportNotApplied(
  id: number,
  fields: readonly string[],
  { isStrict, context }: { readonly isStrict: boolean; readonly context: Context },
): Promise<void> {
  if (fields.length === 0) return;
  const sentence = `created bug ${id}; not applied: ${fields.join(", ")}`;
  if (!isStrict) return context.io.err(`${sentence}\n`);
  throw new BtError("partial", sentence, { hint: "the account may not set these, or the product has none of them" });
}
