/** The values of a bug that a story tells of, under the interface's names; lists are lists. Custom fields stand beside them. */
export type BugValues = {
  readonly [field: string]: string | number | readonly string[] | readonly number[];
};

/** Something that somebody did to a bug. */
export type Event = {
  readonly ago: number; // days before now
  readonly by: string; // the login without its domain
  readonly say?: string; // a comment
  readonly isPrivate?: boolean; // the comment is
  readonly tags?: readonly string[]; // of the comment
  readonly hours?: number; // worked
  readonly set?: BugValues; // new values; lists are given whole
  readonly flags?: readonly string[]; // review?(mei), review+, needinfoX
};

/** A bug from its first day on. */
export type Story = {
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

/** A step of a story at its time; the first of each story files the bug. */
export type Step = { readonly story: Story; readonly event: Event; readonly isFirst: boolean };

/** All steps of all stories in the order in which they happened. */
export function timeline(stories: readonly Story[]): readonly Step[] {
  return stories
    .flatMap((story): Step[] => [
      { story, event: firstEvent(story), isFirst: true },
      ...(story.later ?? []).map((event) => ({ story, event, isFirst: false })),
    ])
    .sort((a, b) => b.event.ago - a.event.ago);
}

function firstEvent({ ago, by, text, flags }: Story): Event {
  return {
    ago,
    by,
    say: text,
    ...(flags === undefined ? {} : { flags }),
  };
}
