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
  readonly serverZone?: string | undefined; // of the tracker's clock, if known
};

/** List formats with their help, for `--format`. */
export const FORMATS = {
  table: "aligned columns, fitted to the terminal",
  tsv: "tab-separated lines without a heading, nothing cut",
  csv: "comma-separated values with a heading line (RFC 4180)",
  json: "one array, with the names and values of the wire",
  ndjson: "one JSON object a line",
  markdown: "a table to paste into a text",
  ids: "the ids alone, one a line",
} as const;

/** Name of a list format. */
export type Format = keyof typeof FORMATS;

/** Default format: a table on a terminal, tab-separated lines in a pipe. */
export function usualFormat(view: Pick<View, "terminal">): Format {
  return view.terminal ? "table" : "tsv";
}
