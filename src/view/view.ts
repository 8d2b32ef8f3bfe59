/**
 * Output settings of a formatter. `terminal` is false for pipes; `width` is in columns; `timeZone` is the IANA zone of
 * displayed times.
 */
export type View = {
  readonly terminal: boolean;
  readonly color: boolean;
  readonly width: number;
  readonly now: Date;
  readonly timeZone: string;
  readonly template?: readonly (string | number)[] | undefined; // a line: texts, and numbers of columns from 0
  readonly serverZone?: string | undefined; // of the tracker's clock, if known
};

/** List formats with their help, for `--format`. */
export const FORMATS = {
  table: "aligned columns, fitted to the terminal",
  tsv: "tab-separated lines without a header, never truncated",
  csv: "comma-separated values with a header line (RFC 4180)",
  json: "one array, with the names and values of the API",
  ndjson: "one JSON object per line",
  markdown: "a Markdown table",
  ids: "ids only, one per line",
} as const;

/** Name of a list format. */
export type Format = keyof typeof FORMATS;

/** Default format: a table on a terminal, tab-separated lines in a pipe. */
export function defaultFormat(view: Pick<View, "terminal">): Format {
  return view.terminal ? "table" : "tsv";
}
