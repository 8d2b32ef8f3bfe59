// How many named functions of the client a command on the demo executes, views apart, and in how many files:
// `npm run bench functions [words of a command]`. V8 forgets calls of closures at times, so that counts vary downwards.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { build } from "rolldown";
import manifest from "../../package.json" with { type: "json" };

const root = path.join(import.meta.dirname, "../..");
const asked = process.argv.slice(2).join(" ");
const lines = asked ? [asked] : ["bug search --status CONFIRMED", "bug update 1 --add-keywords crash", "bug get 1"];
const folder = mkdtempSync(path.join(root, "dist.")); // below it, packages are found
try {
  await build({
    cwd: root,
    platform: "node",
    input: "src/main.ts",
    external: Object.keys(manifest.optionalDependencies),
    logLevel: "silent",
    output: { dir: folder, format: "esm", preserveModules: true, preserveModulesRoot: root },
  });
  mkdirSync(path.join(folder, "dist"));
  copyFileSync(path.join(root, "dist/demo.db"), path.join(folder, "dist/demo.db"));
  writeFileSync(
    path.join(folder, "run.js"),
    'import { main } from "./src/main.js";\nawait main(process.argv.slice(2));\n',
  );
  for (const line of lines) report(line);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function report(/** @type {string} */ line) {
  const coverage = path.join(folder, "coverage");
  const env = { ...process.env, HOME: folder, NODE_V8_COVERAGE: coverage, BT_BASE_URL: "demo:" };
  const { status, stderr } = spawnSync(process.execPath, [path.join(folder, "run.js"), ...line.split(" ")], { env });
  if (status !== 0) throw new Error(`bt ${line}: exit ${status}\n${stderr}`);
  const functions = readdirSync(coverage).flatMap((file) =>
    namedFunctions(readFileSync(path.join(coverage, file), "utf8")),
  );
  rmSync(coverage, { recursive: true });
  const files = new Set(functions.map(([file]) => file));
  console.log(`bt ${line}: ${functions.length} functions in ${files.size} files`);
  for (const [file, name] of functions) console.log(`  ${file} ${name}`);
}

/** The files and names of the functions that were called. */
function namedFunctions(/** @type {string} */ coverage) {
  /** @type {{ result: { url: string, functions: { functionName: string, ranges: { count: number }[] }[] }[] }} */
  const { result } = JSON.parse(coverage);
  return result.flatMap(({ url, functions }) => {
    const [, file] = /\/src\/((?!tracker\/|view\/|transport\/).+)\.js$/.exec(url) ?? [];
    const called = functions.filter(
      ({ functionName, ranges }) => functionName && ranges.some(({ count }) => count > 0),
    );
    return file === undefined ? [] : called.map(({ functionName }) => [file, functionName]);
  });
}
