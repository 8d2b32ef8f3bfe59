import { rmSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

/**
 * Loads modules of the sources into the build, bundled into one; gives what the first of them exports.
 * @param {string} root
 * @param {string} source its path
 * @returns {Promise<any>}
 */
export async function importSource(root, source) {
  const { output } = await build({
    cwd: root,
    input: source,
    platform: "node",
    external: ["jq-wasm", "@napi-rs/keyring"],
    write: false,
    logLevel: "silent",
    output: { codeSplitting: false },
  });
  const file = `${root}/dist/${basename(source, ".ts")}.mjs`; // beside it nothing outside the package is found
  writeFileSync(file, output[0].code);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(file);
  }
}
