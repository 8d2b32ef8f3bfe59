import type { Part } from "../../api/write/parts.ts";
import { previewChanges } from "../../api/write/preview.ts";
import { groupsAfter } from "../../api/write/product-groups.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug.ts";
import type { Context } from "../context.ts";
import type { Input } from "../verb.ts";

/** A change of many bugs that waits for a yes. */
export type Intent = { readonly parts: readonly Part[]; readonly refused: number };

/** Shows what a change of many bugs would do and asks whether to go on; without a terminal only `--yes` is an answer. */
export async function confirmed(intent: Intent, { flags }: Input, { io }: Context): Promise<void> {
  if (flags["yes"]) return;
  const count = intent.parts.reduce((sum, { bugs }) => sum + bugs.length, 0);
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

function sampleOf({ parts }: Intent): readonly string[] {
  const lines = parts.flatMap((part) => part.bugs.map((bug) => () => changesLine(bug, part)));
  const shown = lines.slice(0, SAMPLE).map((line) => line());
  return lines.length > SAMPLE ? [...shown, `and ${lines.length - SAMPLE} more`] : shown;
}

function changesLine(bug: Bug, { body, target, moments }: Part): string {
  const changes = Object.entries(previewChanges(bug, { ...body, ...moments }, groupsAfter(bug, body, target)));
  const told = changes.map(([field, { removed, added }]) => `${field} ${removed || "-"} -> ${added || "-"}`);
  return `#${bug.id} ${bug.summary ?? ""} (${told.join(", ") || "no field changes"})`;
}
