import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { openHttp } from "../../src/transport/http.ts";
import { freshFolder } from "../fresh-folder.ts";

/** A server that reads what it receives with many pauses, so that the sender's socket is full most of the time. */
async function slowReader() {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) {
        chunks.push(chunk as Buffer);
        for (let turn = 0; turn < 50; turn += 1) await setImmediate();
      }
      const { data } = JSON.parse(Buffer.concat(chunks).toString("latin1")) as { readonly data: string };
      response.end(JSON.stringify({ sha256: sha256(Buffer.from(data, "base64")) }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

test("a file arrives as it is at a server that reads more slowly than the file is read", async () => {
  const baseUrl = await slowReader();
  const { exchange, close } = openHttp({ baseUrl, userAgent: "bt/test", env: {} });
  onTestFinished(close);
  const content = Buffer.from(Uint32Array.from({ length: 4 * 1024 * 1024 }, (_, at) => at * 2654435761).buffer);
  const path = join(freshFolder(), "file");
  writeFileSync(path, content);
  const file = { path, size: content.length, sha256: sha256(content) };
  const response = await exchange({ method: "POST", path: "/rest/bug/1/attachment", query: [], body: {}, file });
  expect(JSON.parse(response.body)).toEqual({ sha256: file.sha256 });
});
