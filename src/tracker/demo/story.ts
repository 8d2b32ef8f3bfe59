/** A bug from its first day on. */
export type DemoBug = {
  readonly id: number;
  readonly in: readonly [product: string, component: string, version: string];
  readonly summary: string;
  readonly by: string;
  readonly ago: number; // when it was filed, in days before now
  readonly text: string;
  readonly with?: BugValues; // what it was filed with
  readonly flags?: readonly string[];
  readonly later?: readonly Event[];
};

/** Something that somebody did to a bug. */
export type Event = {
  readonly ago: number; // days before now
  readonly by: string; // the login without its domain
  readonly say?: string; // a comment
  readonly isPrivate?: boolean; // the comment is, and so is the file
  readonly attach?: DemoFile;
  readonly tags?: readonly string[]; // of the comment
  readonly hours?: number; // worked
  readonly set?: BugValues; // new values; items of a list are added to it; dates are days after now
  readonly flags?: readonly string[]; // review?(mei), review+, needinfoX
};

/** A file that is attached with a comment; a step that does so does nothing else. */
export type DemoFile = {
  readonly file_name: string;
  readonly summary: string;
  readonly content_type: string;
  readonly is_patch?: boolean;
  readonly data: string;
};

/** The values of a bug that a story tells of, under the interface's names. Custom fields stand beside them. */
export type BugValues = {
  readonly [field: string]: string | number | readonly string[] | readonly number[];
};
