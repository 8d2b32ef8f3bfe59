import { importSource } from "./import-source.js";

/**
 * Has the tracker of the sources go through all that happens in its demo, and keeps what comes of it as `demo.db`.
 * @param {string} root
 */
export async function writeDemo(root) {
  const { replayDemo, saveRows } = await importSource(root, "src/tracker/demo/replay.ts");
  saveRows(await replayDemo(), `${root}/dist/demo.db`);
}
