import { rmSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { build } from "rolldown";

/**
 * Has the tracker of the sources go through all that happens in its demo, and keeps what comes of it as `demo.db`.
 * @param {string} root
 */
export async function writeDemo(root) {
  const { output } = await build({
    cwd: root,
    input: "src/tracker/demo/replay.ts",
    platform: "node",
    external: ["libsql"],
    write: false,
    output: { codeSplitting: false },
  });
  const replay = `${root}/dist/replay.mjs`; // beside it nothing outside the package is found
  writeFileSync(replay, output[0].code);
  const { replayDemo, saveRows } = await import(pathToFileURL(replay).href);
  rmSync(replay);
  saveRows(await replayDemo(), `${root}/dist/demo.db`);
}
