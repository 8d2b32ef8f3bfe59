import type { PlanRow } from "../../api/migrate/plan-row.ts";
import { BtError } from "../../errors.ts";
import { countText, plain } from "../../view/text.ts";
import { confirmationPrompt } from "../prompts.ts";
import type { Survey } from "./survey.ts";
import type { Moving } from "./trackers.ts";

/** @throws BtError of kind refused for names that an administrator has to create */
export function refuseMissing(rows: readonly PlanRow[]): void {
  const missing = rows.filter(({ action }) => action === "missing");
  if (missing.length === 0) return;
  const one = `${countText(missing.length, "requirement")} ${missing.length === 1 ? "is" : "are"}`;
  throw new BtError("refused", `${one} missing in the target`, {
    details: missing.map(missingLine),
    hint: "ask an administrator to create or allow them, or map them with --map FILE; bt migrate plan lists everything",
    changed: "nothing",
  });
}

function missingLine({ what, name, count, note }: PlanRow): string {
  return plain(`${what} ${name} (${countText(count, "bug")})${note === "" ? "" : `: ${note}`}`);
}

/** Shows the plan and prompts; without a terminal `--yes` is required. */
export async function confirmMove({ rows }: Survey, { input, target }: Moving): Promise<void> {
  const { io, session } = target;
  const due = rows.filter(({ action }) => action === "move" || action === "create");
  if (input.flags["yes"] || due.length === 0) return;
  const lines = rows.map((row) => `${row.action} ${planLine(row)}`);
  const confirm = confirmationPrompt(input, io, session.settings);
  const what = `${due[0]?.count ?? 0} ${due[0]?.what ?? "bugs"}`;
  if (!confirm) throw new BtError("guard", `${what} to move`, { details: lines, hint: HINT, changed: "nothing" });
  await io.err(`${lines.map((line) => `    ${line}`).join("\n")}\n`);
  if (!(await confirm(`move to ${plain(session.address)}?`)))
    throw new BtError("guard", "no changes made", { changed: "nothing" });
}

const HINT = "--yes skips the prompt; bt migrate plan shows the same as a table";

function planLine({ what, name, count, note }: PlanRow): string {
  return plain([what, name, String(count), note && `(${note})`].filter((part) => part !== "").join(" "));
}
