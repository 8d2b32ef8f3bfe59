/**
 * Files and folders below src of each shared chunk. A file costs a command about as much as 10 KB of code, so what commands
 * share lies in few of them: what every request and list needs, what a search adds, what cards are drawn with, what reads
 * objects by name, what writes share, what changes of bugs do, and the embedded tracker. The first row that fits wins.
 * @type {readonly { readonly name: string, readonly takes: readonly string[], readonly minShareCount?: number }[]}
 */
const SHARED = [
  {
    name: "session",
    takes: [
      ...["session/connect.ts", "commands/input.ts", "commands/shared/output/"],
      ...["view/listing.ts", "view/bug-columns.ts", "view/links.ts", "view/messages.ts"],
      ...["api/concurrency.ts", "api/field-selection.ts", "api/lists.ts", "api/query/dates.ts", "config/lock.ts"],
    ],
  },
  { name: "search", takes: ["commands/bug/search/search.ts"] },
  {
    name: "cards",
    takes: [
      ...["view/bug-card.ts", "view/card.ts", "view/changes.ts", "view/comments.ts", "view/field-columns.ts"],
      ...["view/groups.ts", "view/products.ts", "view/table.ts", "view/thread.ts", "view/users.ts"],
    ],
  },
  {
    name: "targets",
    takes: [
      ...["commands/shared/targets.ts", "commands/shared/text/", "api/batch.ts"],
      ...["api/bug-ref.ts", "api/bugs/bug-numbers.ts", "api/bugs/bug-parts.ts", "api/bugs/comment-ref.ts"],
    ],
  },
  { name: "common", takes: ["api/", "config/", "commands/shared/prompts.ts"], minShareCount: 2 },
  { name: "change", takes: ["commands/shared/changes/apply-change.ts", "commands/shared/changes/bulk-change.ts"] },
  { name: "yaml", takes: ["session/repository/repository-yaml.ts"] },
  { name: "tracker", takes: ["tracker/"], minShareCount: 2 },
];

/** The groups of the bundler: what every command needs, and the shared chunks. */
export function groups(rows = SHARED) {
  const start = { name: "start", tags: [/** @type {const} */ ("$initial")], test: /^(?!.*src\/read-worker\.ts$)/ };
  const shared = rows.map(({ takes, ...row }) => ({
    ...row,
    test: (/** @type {string} */ id) => takes.some((part) => id.includes(`/src/${part}`)),
  }));
  return [start, ...shared].map((group, at) => ({ ...group, priority: rows.length - at }));
}

/** @throws if a row takes a file or folder that is not in its chunk */
export function checkGroups(
  /** @type {readonly { name?: string | undefined, moduleIds?: string[] }[]} */ output,
  rows = SHARED,
) {
  for (const { name, takes } of rows) {
    const ids = output.flatMap((file) => (file.name === name ? (file.moduleIds ?? []) : []));
    const missed = takes.filter((part) => !ids.some((id) => id.includes(`/src/${part}`)));
    if (missed.length > 0) throw new Error(`the chunk ${name} has nothing of src/${missed.join(", src/")}`);
  }
}
