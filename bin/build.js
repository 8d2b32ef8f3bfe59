// Bundles src/main.ts, and the process that it may start, into CommonJS chunks in dist/, with the licences of what went into
// them, and the data of the demo.
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { writeDemo } from "./build/demo.js";
import { latePatterns } from "./build/late-patterns.js";
import { licences } from "./build/licences.js";
import { patches } from "./build/patches.js";
import { quickToRead } from "./build/quick-to-read.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * A file costs a command about as much as 10 KB of code, so what commands share lies in few of them: what all need, what
 * a search needs and most others too, what cards are drawn with, the rest, and the embedded tracker.
 * @type {import("rolldown").CodeSplittingGroup[]}
 */
const GROUPS = [
  { name: "start", tags: ["$initial"], test: /^(?!.*src\/read-worker\.ts$)/, priority: 5 },
  {
    name: "search",
    test: /src\/(session\/connect|commands\/bug\/search|view\/(listing|bug-columns))\.ts/,
    priority: 4,
  },
  { name: "cards", test: /src\/view\//, minShareCount: 2, priority: 3 },
  {
    name: "common",
    test: /src\/(api|session\/(?!embedded)|commands\/(?!(?:admin|auth|config|jobs|serve)\/)|config|wire)\//,
    minShareCount: 2,
    priority: 2,
  },
  { name: "tracker", test: /src\/tracker\//, minShareCount: 2, priority: 1 },
];

rmSync(`${root}/dist`, { recursive: true, force: true });
const { output } = await build({
  cwd: root,
  input: ["src/main.ts", "src/read-worker.ts"],
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  onLog: (level, log, print) => log.code === "INEFFECTIVE_DYNAMIC_IMPORT" || print(level, log), // GROUPS know better
  external: Object.keys(manifest.dependencies),
  plugins: [patches(), latePatterns(), licences(), quickToRead()],
  output: {
    dir: "dist",
    format: "cjs",
    strict: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: nameOf,
    dynamicImportInCjs: false,
    codeSplitting: { groups: GROUPS },
    minify: { compress: false, mangle: false, codegen: true },
  },
});
await writeDemo(root);
writeFileSync(`${root}/dist/build.json`, JSON.stringify({ version: manifest.version, hash: hashOf(output) }));

/** A chunk is called by its module, `commands-bug.cjs`, or by its package. */
function nameOf(/** @type {import("rolldown").PreRenderedChunk} */ { facadeModuleId, name }) {
  const [, inPackage, inSource] = /node_modules\/([^/]+)|src\/(.+)\.ts$/.exec(facadeModuleId ?? "") ?? [];
  return `${(inPackage ?? inSource ?? name).replaceAll("/", "-")}.cjs`;
}

/** Names one build, so that a code cache is never taken for another's. */
function hashOf(/** @type {readonly (import("rolldown").OutputChunk | import("rolldown").OutputAsset)[]} */ files) {
  const hash = createHash("sha256");
  for (const file of files) hash.update(file.fileName).update("code" in file ? file.code : file.source);
  return hash.digest("hex").slice(0, 16);
}
