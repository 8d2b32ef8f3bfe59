/**
 * Output settings of a formatter. `terminal` is false for pipes; `width` is in columns; `timeZone`
 * is the IANA zone of displayed times.
 */
export type View = {
  readonly terminal: boolean;
  readonly color: boolean;
  readonly isAscii?: boolean; // true: signs such as arrows are ASCII
  readonly width: number;
  readonly now: Date;
  readonly timeZone: string;
  readonly isRaw?: boolean; // true: CSV cells that look like formulas are not escaped
  readonly web?: string | undefined; // address of the tracker's pages; undefined if it has none
  readonly serverZone?: string | undefined; // of the tracker's clock, if known
};

export const SIGNS = {
  dot: "·",
  none: "·",
  arrow: "→",
  ellipsis: "…",
  rule: "─",
  inside: "›",
  bar: "┃",
  branch: "├─",
  lastBranch: "└─",
  trunk: "│",
} as const;

const ASCII_SIGNS: Readonly<Record<keyof typeof SIGNS, string>> = {
  dot: "|",
  none: "-",
  arrow: "->",
  ellipsis: "...",
  rule: "-",
  inside: ">",
  bar: "|",
  branch: "|-",
  lastBranch: "`-",
  trunk: "|",
};

export function viewSigns({ isAscii }: Pick<View, "isAscii">): Readonly<Record<keyof typeof SIGNS, string>> {
  return isAscii ? ASCII_SIGNS : SIGNS;
}

/** List formats with their help, for `--format`. */
export const FORMATS = {
  table: "aligned columns, fitted to the terminal",
  tsv: "tab-separated lines without a header, never truncated",
  csv: "comma-separated values with a header line (RFC 4180)",
  json: "one array, with the names and values of the API",
  ndjson: "one JSON object per line",
  ids: "ids only, one per line",
} as const;

export type Format = keyof typeof FORMATS;

/** Formats of files of bugs, with their help. */
export const BUG_FILE_FORMATS = {
  csv: "comma-separated values with a header line (RFC 4180)",
  tsv: "tab-separated values with a header line; tabs, line breaks and backslashes are escaped",
  ndjson: "one JSON object per line",
} as const;

export type BugFileFormat = keyof typeof BUG_FILE_FORMATS;
