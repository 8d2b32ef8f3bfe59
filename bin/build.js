// Bundles src/main.ts, and the process that it may start, into CommonJS chunks in dist/, with the licences of what went into
// them, the data of the demo, and the manual pages.
import { createHash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import manifest from "../package.json" with { type: "json" };
import { writeDemo } from "./build/demo.js";
import { checkGroups, groups } from "./build/groups.js";
import { latePatterns } from "./build/late-patterns.js";
import { licences } from "./build/licences.js";
import { writeManual } from "./build/man.js";
import { patches } from "./build/patches.js";
import { plainExports } from "./build/plain-exports.js";
import { quickToRead } from "./build/quick-to-read.js";

const root = fileURLToPath(new URL("..", import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
const { output } = await build({
  cwd: root,
  input: ["src/main.ts", "src/read-worker.ts"],
  platform: "node",
  preserveEntrySignatures: "allow-extension",
  onLog: (level, log, print) => log.code === "INEFFECTIVE_DYNAMIC_IMPORT" || print(level, log), // the groups know better
  external: Object.keys(manifest.optionalDependencies),
  plugins: [patches(), latePatterns(), licences(), plainExports(), quickToRead(), checkGroups()],
  output: {
    dir: "dist",
    format: "cjs",
    strict: true,
    entryFileNames: "[name].cjs",
    chunkFileNames: nameOf,
    dynamicImportInCjs: false,
    codeSplitting: { groups: groups() },
    minify: { compress: false, mangle: false, codegen: true },
  },
});
await writeDemo(root);
await writeManual(root);
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
