import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { ask, send } from "../servers/ask.ts";
import { ownKey, type ServeProcess, serveProcess } from "../servers/serve-process.ts";

/** A tracker of one's own, served by a process of its own until the test ends. */
async function servedOwn(...flags: readonly string[]): Promise<ServeProcess & { key: string; data: string }> {
  const data = join(freshFolder(), "team.db");
  const served = await serveProcess(["--data", data, ...flags]);
  onTestFinished(async () => void (await served.kill("SIGKILL")));
  return { ...served, key: ownKey(data), data };
}

test("S14 a key in the URL is accepted, and is never in the log, however it is encoded", async () => {
  const { url, key, said, kill } = await servedOwn("--log");
  const login = `${url}/rest/valid_login?login=owner@localhost`;
  for (const name of ["api_key", "Bugzilla_api_key", "%61pi_key", "Bugzilla%5Fapi%5Fkey", "api%5fke%79"]) {
    expect(await ask(`${login}&${name}=${key}`), name).toMatchObject({ status: 200, body: '{"result":true}' });
  }
  for (const name of ["token", "Bugzilla_token", "password", "%70assword", "Bugzilla%5Fpassword"]) {
    await ask(`${login}&${name}=${key}`);
  }
  await send(`${url}/rest/bug/1`, { method: "PUT", key }, { api_key: key, whiteboard: "x" });
  await kill("SIGTERM");
  expect(said()).toMatch(/^GET \/rest\/valid_login 200 \d+ ms$/m);
  expect(said().match(/\d+ ms$/gm)).toHaveLength(11);
  expect(said().replace(/API key of \S+: \w+/, "")).not.toContain(key);
});
