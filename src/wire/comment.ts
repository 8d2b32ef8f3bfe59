/** A comment; `count` is its number on the bug (0 is the description), `id` is unique over the whole tracker. */
export type Comment = {
  readonly id: number;
  readonly bug_id: number;
  readonly attachment_id: number | null;
  readonly count: number;
  readonly text: string;
  readonly creator: string;
  readonly time: string;
  readonly creation_time: string;
  readonly is_private: boolean;
  readonly tags?: readonly string[]; // absent where comment tags are switched off
};
