import { previewChanges } from "../../api/write/preview.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { JsonObject } from "../../wire/exchange.ts";
import type { Context } from "../context.ts";
import type { Input } from "../verb.ts";

/** A change of many bugs that waits for a yes. */
export type Intent = { readonly bugs: readonly Bug[]; readonly refused: number; readonly body: JsonObject };

/** Shows what a change of many bugs would do and asks whether to go on; without a terminal only `--yes` is an answer. */
export async function confirmed(intent: Intent, { flags }: Input, { io }: Context): Promise<void> {
  if (flags["yes"]) return;
  const count = intent.bugs.length;
  const rest = intent.refused > 0 ? `, ${intent.refused} more cannot be changed` : "";
  const sentence = `this would change ${count} bugs${rest}`;
  const sample = sampleOf(intent);
  if (!io.terminal.stdin || !io.terminal.stderr) {
    throw new BtError("guard", sentence, { details: sample, hint: HINT, changed: "nothing" });
  }
  await io.err(`${[`${sentence}:`, ...sample.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  const answer = await io.prompt(`change ${count} bugs? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new BtError("guard", "nothing was changed", { changed: "nothing" });
}

const HINT = "--yes goes on without a question; --dry-run shows every change";
const SAMPLE = 5;

function sampleOf({ bugs, body }: Intent): readonly string[] {
  const shown = bugs.slice(0, SAMPLE).map((bug) => {
    const changes = Object.entries(previewChanges(bug, body));
    const told = changes.map(([field, { removed, added }]) => `${field} ${removed || "-"} -> ${added || "-"}`);
    return `#${bug.id} ${bug.summary ?? ""} (${told.join(", ") || "no field changes"})`;
  });
  return bugs.length > SAMPLE ? [...shown, `and ${bugs.length - SAMPLE} more`] : shown;
}
