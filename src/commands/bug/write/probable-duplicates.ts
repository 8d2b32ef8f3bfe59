import { findSimilar, PROBABLE_SCORE } from "../../../api/search/similar.ts";
import { BtError } from "../../../errors.ts";
import { note } from "../../../session/note.ts";
import { listing, listText } from "../../../view/listing.ts";
import { palette } from "../../../view/palette.ts";
import { SIMILAR_TABLE_COLUMNS } from "../../../view/similar.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";

/**
 * Shows probable duplicates of a new bug on stderr, once for its summary and place; false if it shows none. That the tracker
 * cannot be searched is no reason not to file a bug, so such an error is only shown.
 */
export function comparison(context: Context): (bug: NewBugValues | JsonObject) => Promise<boolean> {
  const { io, output } = context;
  let compared = "";
  return async ({ summary, product, component }) => {
    const texts = [summary, product, component].map((value) => String(value ?? "").trim());
    const key = texts.join("\n").toLowerCase();
    if (key === compared) return false;
    compared = key;
    const found = await findDuplicates(texts, context).catch(async (error: unknown) => {
      if (!(error instanceof BtError) || io.signal.aborted) throw error;
      await note(io, `could not look for similar bugs: ${error.message}`);
      return [];
    });
    if (found.length === 0) return false;
    const table = listing("table", SIMILAR_TABLE_COLUMNS, output.view);
    await io.err(`${palette(output.view).title("Similar bugs")}\n${listText(found, table)}\n`);
    return true;
  };
}

const MAX_SHOWN = 5;

async function findDuplicates([summary = "", product = "", component = ""]: readonly string[], { session }: Context) {
  const subject = { summary, products: product ? [product] : [], ...(component && { component }) };
  const similar = await findSimilar(subject, session.searches);
  return similar.filter(({ score }) => score >= PROBABLE_SCORE).slice(0, MAX_SHOWN);
}
