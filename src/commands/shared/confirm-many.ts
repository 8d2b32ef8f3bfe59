import { previewChanges } from "../../api/write/preview.ts";
import { groupsAfter } from "../../api/write/product-move.ts";
import type { UpdatePart } from "../../api/write/update-part.ts";
import { BtError } from "../../errors.ts";
import { plain } from "../../view/text.ts";
import type { Bug } from "../../wire/bug-fields.ts";
import type { Context, Input } from "../verb.ts";
import { confirmationPrompt } from "./prompts.ts";

/** A bulk update that awaits confirmation. */
export type PlannedUpdate = { readonly parts: readonly UpdatePart[]; readonly refused: number };

/** Previews a bulk update and prompts for confirmation; without a terminal `--yes` is required. */
export async function confirmUpdate(intent: PlannedUpdate, input: Input, context: Context): Promise<void> {
  if (input.flags["yes"]) return;
  const count = intent.parts.reduce((sum, { bugs }) => sum + bugs.length, 0);
  const rest = intent.refused > 0 ? `, ${intent.refused} more cannot be updated` : "";
  const sentence = `this would update ${count} bugs${rest}`;
  const sample = sampleOf(intent);
  const { io, session } = context;
  const confirm = confirmationPrompt(input, io, session.settings);
  if (!confirm) throw new BtError("guard", sentence, { details: sample, hint: HINT, changed: "nothing" });
  await io.err(`${[`${sentence}:`, ...sample.map((line) => `    ${plain(line)}`)].join("\n")}\n`);
  if (!(await confirm(`update ${count} bugs?`))) throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; --dry-run shows every change";
const SAMPLE = 5;

function sampleOf({ parts }: PlannedUpdate): readonly string[] {
  const lines = parts.flatMap((part) => part.bugs.map((bug) => () => changesLine(bug, part)));
  const shown = lines.slice(0, SAMPLE).map((line) => line());
  return lines.length > SAMPLE ? [...shown, `and ${lines.length - SAMPLE} more`] : shown;
}

/** A bug with the changes that are expected. */
export function changesLine(bug: Bug, { body, target, moments }: UpdatePart): string {
  const changes = Object.entries(previewChanges(bug, { ...body, ...moments }, groupsAfter(bug, body, target)));
  const told = changes.map(([field, { removed, added }]) => `${field} ${removed || "-"} -> ${added || "-"}`);
  return `#${bug.id} ${bug.summary ?? ""} (${told.join(", ") || "no field changes"})`;
}
