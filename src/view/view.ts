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
