import { BtError } from "../../errors.ts";
import type { Column } from "../../view/column.ts";
import { DOCTOR_COLUMNS, type DoctorLine, doctorText } from "../../view/doctor.ts";
import { chosenColumns, isForCards, jsonText, outputFormat, showList, showText } from "../output.ts";
import type { Context, Input } from "../verb.ts";
import { CHECKS } from "./checks.ts";
import { examine } from "./examine.ts";

/**
 * `bt doctor`: a line for each check, with what to do.
 * @throws BtError of kind no if something needs attention
 */
export async function runDoctor(_: Input, context: Context): Promise<void> {
  const columns = chosenColumns(DOCTOR_COLUMNS, context);
  const patient = await examine(context);
  const lines: DoctorLine[] = [];
  for (const [name, check] of Object.entries(CHECKS)) lines.push({ name, ...(await check(patient)) });
  const ill = lines.filter(({ state }) => state === "attention");
  await show(lines, columns, context);
  if (ill.length === 0) return;
  const names = ill.map(({ name }) => name).join(", ");
  throw new BtError("no", `${ill.length} of ${lines.length} checks need attention: ${names}`, { changed: "nothing" });
}

async function show(
  lines: readonly DoctorLine[],
  columns: readonly Column<DoctorLine>[],
  context: Context,
): Promise<void> {
  if (isForCards(context)) return showText(context, doctorText(lines, context.output.view));
  if (outputFormat(context) !== "json" || context.output.fields) {
    await showList(context, { columns, pages: [lines] });
    return;
  }
  const checks = Object.fromEntries(lines.map(({ name, ...finding }) => [name, finding]));
  const report = { ok: lines.every(({ state }) => state !== "attention"), checks };
  await showText(context, jsonText(report, context));
}
