import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { execa } from "execa";
import { expect, onTestFinished, test } from "vitest";
import { LAUNCHER } from "../built.ts";

test("V8 flags changed during a search invalidate no code cache", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "bt-cache-"));
  const server = createServer((_, response) => response.end('{"bugs":[]}'));
  onTestFinished(() => void server.close(() => rmSync(folder, { recursive: true, force: true })));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const env = { BT_BASE_URL: base, BT_NO_CODE_CACHE: "", XDG_CACHE_HOME: folder };

  /** Each writing of a cache is a new file, so that an equal list means that all of them were accepted. */
  const search = async () => {
    await execa(process.execPath, [LAUNCHER, "bug", "search", "--quicksearch", "ALL", "--limit", "20"], { env });
    const names = readdirSync(path.join(folder, "bt")).filter((name) => name.endsWith(".cjs"));
    return names.map((name) => `${name} ${statSync(path.join(folder, "bt", name), { bigint: true }).ino}`);
  };

  const caches = await search();
  expect(caches.filter((name) => name.includes("transport-network"))).toHaveLength(1);
  expect(await search()).toEqual(caches);
});
