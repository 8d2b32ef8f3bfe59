import { extname } from "node:path";
import { usageError } from "../../../errors.ts";
import type { BugFileForm } from "../../../view/bug-file.ts";
import type { BugFileFormat } from "../../../view/view.ts";

/** Form of a file of bugs by the flags, else by its name; CSV if neither says. */
export function bugFileForm({ format, separator = ",", raw }: FileFlags, file: string | undefined): BugFileForm {
  checkSeparator(separator);
  return { format: format ?? FORMATS_BY_NAME[fileExtension(file)] ?? "csv", separator, isRaw: raw };
}

type FileFlags = {
  format?: BugFileFormat | undefined;
  separator?: string | undefined;
  raw: boolean;
};

function checkSeparator(separator: string): void {
  if (separator !== "" && !/["'\r\n\t\\]/.test(separator)) return;
  throw usageError(
    `--separator ${JSON.stringify(separator)} cannot separate list items`,
    "for example: --separator ';'",
  );
}

function fileExtension(file = ""): string {
  return extname(file).toLowerCase();
}

const FORMATS_BY_NAME: Readonly<Record<string, BugFileFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson",
};
