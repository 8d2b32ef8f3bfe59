/** @typedef {import("rolldown").CodeSplittingGroup} Group */

const SOURCES = "/src/";

/**
 * Contents of each shared chunk: files or folders below src, each of which has to be there. A file costs a command about as
 * much as 10 KB of code, so what commands share lies in few of them: what rows of commands are made of, the rows of bugs,
 * what every request and list needs, what a search adds, what reads its terms, what cards are drawn with, what reads objects
 * by name, what writes share, and the embedded tracker. The first row that fits wins.
 * @type {readonly { readonly name: string, readonly takes: readonly string[], readonly minShareCount?: number }[]}
 */
const SHARED = [
  { name: "operations", takes: ["api/operations/", "commands/write-flags.ts", "wire/auth-style.ts"], minShareCount: 2 },
  { name: "bug-rows", takes: ["commands/bug/rows.ts"] },
  {
    name: "session",
    takes: [
      ...["session/connect.ts", "commands/output.ts", "view/listing.ts", "view/bug-columns.ts"],
      ...filesOf("api", "concurrency field-selection lists"),
    ],
  },
  { name: "search", takes: ["commands/bug/search.ts"] },
  { name: "query", takes: ["api/query/parse.ts"] },
  {
    name: "cards",
    takes: filesOf("view", "bug-card card changes comments field-columns groups messages products table thread users"),
  },
  {
    name: "targets",
    takes: ["commands/targets.ts", ...filesOf("api", "batch bug-numbers bug-ref comment-ref identity")],
  },
  { name: "common", takes: ["api/", "config/", "commands/prompts.ts"], minShareCount: 2 },
  { name: "yaml", takes: ["session/repository/repository-yaml.ts"] },
  { name: "tracker", takes: ["tracker/"], minShareCount: 2 },
];

/**
 * The groups of the bundler: what every command needs, and the shared chunks.
 * @returns {Group[]}
 */
export function groups(rows = SHARED) {
  const shared = rows.map(({ takes, ...group }, at) => ({
    ...group,
    test: (/** @type {string} */ id) => takes.some((part) => isIn(id, part)),
    priority: rows.length - at,
  }));
  /** @type {Group} */
  const start = { name: "start", tags: ["$initial"], test: /^(?!.*src\/read-worker\.ts$)/, priority: rows.length + 1 };
  return [start, ...shared];
}

/**
 * Fails the build when a row takes a file or folder that is not in its chunk.
 * @returns {import("rolldown").Plugin}
 */
export function checkGroups(rows = SHARED) {
  return {
    name: "check-groups",
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((chunk) => (chunk.type === "chunk" ? [chunk] : []));
      for (const { name, takes } of rows) {
        const ids = chunks.filter((chunk) => chunk.name === name).flatMap(({ moduleIds }) => moduleIds);
        const missed = takes.filter((part) => !ids.some((id) => isIn(id, part)));
        if (missed.length > 0) throw new Error(`the chunk ${name} has nothing of src/${missed.join(", src/")}`);
      }
    },
  };
}

/** Files of a folder, by their names. */
function filesOf(/** @type {string} */ folder, /** @type {string} */ names) {
  return names.split(" ").map((name) => `${folder}/${name}.ts`);
}

/** True if a module is a file, or in a folder, named by its path below src. */
function isIn(/** @type {string} */ id, /** @type {string} */ part) {
  const at = id.lastIndexOf(SOURCES);
  return at !== -1 && id.startsWith(part, at + SOURCES.length);
}
