import { extname } from "node:path";
import { usage } from "../../../errors.ts";
import { flagValue } from "../../../session/flags.ts";
import type { BugFileForm } from "../../../view/bug-file.ts";
import type { BugFileFormat } from "../../../view/view.ts";
import type { Input } from "../../verb.ts";

/** Form of a file of bugs by the flags, else by its name; CSV if neither says. */
export function bugFileForm(
  { flags }: Pick<Input, "flags">,
  flag: "format" | "input-format",
  file?: string,
): BugFileForm {
  const format = (flagValue(flags[flag]) as BugFileFormat | undefined) ?? FORMATS_BY_NAME[nameEnd(file)] ?? "csv";
  return { format, separator: separatorOf(flags), isRaw: flags["raw"] === true };
}

function separatorOf(flags: Input["flags"]): string {
  const separator = flagValue(flags["separator"]) ?? ",";
  if (separator !== "" && !/["'\r\n\t\\]/.test(separator)) return separator;
  throw usage(`--separator ${JSON.stringify(separator)} cannot separate list items`, "for example: --separator ';'");
}

function nameEnd(file = ""): string {
  return extname(file).toLowerCase();
}

const FORMATS_BY_NAME: Readonly<Record<string, BugFileFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson",
};
