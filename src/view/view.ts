/**
 * Output settings of a formatter. `terminal` is false for pipes; `width` is in columns,
 * Infinity in a pipe; `timeZone` is the IANA zone of displayed times.
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

/** List formats, for `--format`. */
export const FORMATS = ["table", "tsv", "csv", "json", "ndjson", "ids"] as const;

export type Format = (typeof FORMATS)[number];

/** Formats of files of bugs. */
export const BUG_FILE_FORMATS = ["csv", "tsv", "ndjson"] as const;

export type BugFileFormat = (typeof BUG_FILE_FORMATS)[number];
