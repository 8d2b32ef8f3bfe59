/**
 * How a person or program will read the text: everything a formatter may know beside its data. `terminal` chooses between
 * what is made for eyes and what is made for pipes; `width` is in columns; `timeZone` is an IANA name for shown times.
 */
export type View = {
  readonly terminal: boolean;
  readonly color: boolean;
  readonly width: number;
  readonly now: Date;
  readonly timeZone: string;
  readonly serverZone?: string | undefined; // of the tracker's own clock, when it is known
};

/** Every way in which a list can be printed, and what it is for; `--format` takes these names. */
export const FORMATS = {
  table: "aligned columns, fitted to the terminal",
  tsv: "tab-separated lines without a heading, nothing cut",
  csv: "comma-separated values with a heading line (RFC 4180)",
  json: "one array, with the names and values of the wire",
  ndjson: "one JSON object a line",
  markdown: "a table to paste into a text",
  ids: "the ids alone, one a line",
} as const;

/** The name of a way to print a list. */
export type Format = keyof typeof FORMATS;

/** What is printed when nobody asks: a table for eyes, tab-separated lines for programs. */
export function usualFormat(view: Pick<View, "terminal">): Format {
  return view.terminal ? "table" : "tsv";
}
