import { findSimilar, PROBABLE_SCORE, type SimilarBug } from "../../../api/search/similar.ts";
import { flagValue } from "../../../command-flag.ts";
import { BtError } from "../../../errors.ts";
import { listing, listText } from "../../../view/listing.ts";
import { noticeText } from "../../../view/messages.ts";
import { palette } from "../../../view/palette.ts";
import { similarTableColumns } from "../../../view/similar.ts";
import type { JsonObject } from "../../../wire/exchange.ts";
import { mayPrompt } from "../../shared/prompts.ts";
import type { Context } from "../../verb.ts";
import type { NewBugValues } from "./flags.ts";

/**
 * Shows probable duplicates of a bug that is about to be filed, and asks, where prompts may be.
 * @throws BtError of kind no if the bug is not to be filed
 */
export async function checkDuplicates(body: JsonObject, context: Context): Promise<void> {
  const { io, session } = context;
  if (!io.terminal.stdout || !mayPrompt(io, session.settings)) return;
  if (!(await showDuplicates(body, context))) return;
  const answer = await io.prompt({ kind: "confirm", message: "file it anyway?" });
  if (answer !== "yes") throw new BtError("no", "nothing sent", { changed: "nothing" });
}

/** Shows probable duplicates of a form, again only for another summary or place. */
export function formComparison(context: Context): (values: NewBugValues) => Promise<void> {
  let compared = "";
  return async (values) => {
    const names = ["product", "component", "summary"];
    const body = Object.fromEntries(names.map((name) => [name, flagValue(values[name]) ?? ""]));
    if (JSON.stringify(body) === compared) return;
    compared = JSON.stringify(body);
    await showDuplicates(body, context);
  };
}

/**
 * Shows probable duplicates of a bug on stderr. Returns false if there are none. That the tracker cannot be searched is no
 * reason not to file a bug, so such an error is only shown.
 */
async function showDuplicates(body: JsonObject, context: Context): Promise<boolean> {
  const { io, output } = context;
  const found = await findDuplicates(body, context).catch(async (error: unknown) => {
    if (!(error instanceof BtError) || io.signal.aborted) throw error;
    await io.err(noticeText(`could not look for similar bugs: ${error.message}`, output.view));
    return [];
  });
  if (found.length === 0) return false;
  const table = listing("table", similarTableColumns(output.view), output.view);
  await io.err(`${palette(output.view).title("Similar bugs")}\n${listText(found, table)}\n`);
  return true;
}

const MAX_SHOWN = 5;

async function findDuplicates(body: JsonObject, context: Context): Promise<SimilarBug[]> {
  const { summary, product, component } = body;
  const subject = {
    summary: String(summary ?? ""),
    products: typeof product === "string" ? [product] : [],
    ...(typeof component === "string" && { component }),
  };
  const similar = await findSimilar(subject, context.session.searches);
  return similar.filter(({ score }) => score >= PROBABLE_SCORE).slice(0, MAX_SHOWN);
}
