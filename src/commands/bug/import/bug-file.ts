import { basename, extname } from "node:path";
import { usageError } from "../../../errors.ts";
import type { BugFileForm } from "../../../view/bug-file.ts";
import type { BugFileFormat } from "../../../view/view.ts";

/**
 * Form of a file of bugs by the flags, else by its name; CSV if neither says.
 * @throws BtError of kind usage for a name of another format
 */
export function bugFileForm({ format, separator = ",", raw }: FileFlags, file: string | undefined): BugFileForm {
  checkSeparator(separator);
  const extension = fileExtension(file);
  if (format === undefined && OTHER_FORMATS.has(extension)) {
    const name = basename(file ?? "", extname(file ?? ""));
    const hint =
      extension === ".json"
        ? `for a JSON object per line: --format ndjson, or the name ${name}.jsonl`
        : `for CSV, which spreadsheets read: the name ${name}.csv`;
    throw usageError(`the formats are csv, tsv and ndjson, not ${extension.slice(1)}`, hint);
  }
  return { format: format ?? FORMATS_BY_NAME[extension] ?? "csv", separator, isRaw: raw };
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

const OTHER_FORMATS: ReadonlySet<string> = new Set([
  ".json",
  ".xlsx",
  ".xls",
  ".ods",
  ".xml",
  ".html",
  ".md",
  ".yaml",
  ".yml",
  ".pdf",
  ".parquet",
  ".sqlite",
]);

const FORMATS_BY_NAME: Readonly<Record<string, BugFileFormat>> = {
  ".csv": "csv",
  ".tsv": "tsv",
  ".tab": "tsv",
  ".jsonl": "ndjson",
  ".ndjson": "ndjson",
};
