import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freshFolder } from "../fresh-folder.ts";
import { real } from "../process/real.ts";
import { ask, send } from "../servers/ask.ts";
import { ownKey, type ServeProcess, serveProcess } from "../servers/serve-process.ts";

/** A tracker of one's own, served by a process of its own until the test ends. */
async function servedOwn(...flags: readonly string[]): Promise<ServeProcess & { key: string; data: string }> {
  const data = join(freshFolder(), "team.db");
  const served = await serveProcess(["--data", data, ...flags]);
  onTestFinished(async () => void (await served.kill("SIGKILL")));
  return { ...served, key: ownKey(data), data };
}

test("S1 by default only this machine can connect, and the first key is readable by the owner only", async () => {
  const { url, pid, key, data, said } = await servedOwn();
  const { port } = new URL(url);
  expect(listeningOn(pid)).toContain(`${V4}:${port}`);
  expect([`${V4}:${port}`, `${V6}:${port}`]).toEqual(expect.arrayContaining([...listeningOn(pid)]));
  expect(key).toMatch(/^[0-9a-f]{40}$/);
  expect([statSync(`${data}.key`).mode & 0o777, statSync(data).mode & 0o777]).toEqual([0o600, 0o600]);
  expect(said()).not.toContain("warning");
  expect((await ask(`${url}/rest/bug/1`)).status).toBe(401);
});

test("S1 other addresses must be requested explicitly, with a warning", async () => {
  const { pid, said } = await servedOwn("--listen", "0.0.0.0");
  expect(listeningOn(pid)).toEqual([expect.stringMatching(/^00000000:/)]);
  expect(said()).toContain("warning: this address is open to the network and unencrypted");
  expect(await real(["serve", "--demo", "--port", "0.0.0.0:8090"])).toMatchObject({ code: 2 });
});

const V4 = "0100007F";
const V6 = "00000000000000000000000001000000";

/** The addresses on which a process listens, as the system's own table has them. */
function listeningOn(pid: number): readonly string[] {
  const links = readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`));
  const own = new Set(links.flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []));
  return ["tcp", "tcp6"].flatMap((table) =>
    readFileSync(`/proc/net/${table}`, "utf8")
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state, , , , , , inode]) => state === "0A" && own.has(inode ?? ""))
      .map(([, local = ""]) => local.replace(/:(\w+)$/, (_, port: string) => `:${Number.parseInt(port, 16)}`)),
  );
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return ""; // closed meanwhile
  }
}

test("S3 oversized requests are refused in bounded memory, and the next client is served", async () => {
  const { url, pid, key } = await servedOwn();
  const bug = `${url}/rest/bug/1`;
  const json = { "content-type": "application/json", "x-bugzilla-api-key": key };
  const put = { method: "PUT", headers: json };
  const huge = `{"summary":"${"x".repeat(64 << 20)}"}`;
  const refusals = [
    () => ask(bug, put, huge),
    () => ask(bug, { method: "PUT", headers: { ...json, "transfer-encoding": "chunked" } }, huge),
    () => ask(bug, put, `{"ids":${nested("[", "1", "]")}}`),
    () => ask(bug, put, nested('{"a":', "1", "}")),
    () => ask(bug, { headers: { "x-long": "x".repeat(20_000) } }),
    () => ask(`${bug}?${"a&".repeat(7_000)}`),
    () => ask(`${bug}?${"a&".repeat(10_000)}`),
  ];
  const statuses: (number | string)[] = [];
  for (const refused of refusals) statuses.push(await Promise.resolve(refused()).then(({ status }) => status, codeOf));
  expect(statuses).toEqual([413, 413, 400, 400, 431, 400, 431].map(orCut));
  const unfinished = await unfinishedBodies(url, 60, 5_000_000);
  for (let n = 0; n < 150; n += 1) {
    expect((await ask(`${url}/rest/version`, { headers: json })).status).toBe(200); // meanwhile it reads on
  }
  expect(peakMegabytes(pid)).toBeLessThan(300);
  for (const socket of unfinished) socket.destroy();
});

/** Connections on which a body of the greatest size has come but for its end. */
async function unfinishedBodies(url: string, count: number, bytes: number): Promise<readonly Socket[]> {
  const { host, port } = new URL(url);
  const head = `POST /rest/bug HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${bytes + 1}\r\n\r\n`;
  const sockets = Array.from({ length: count }, () => connect(Number(port), "127.0.0.1"));
  const body = Buffer.alloc(bytes, "x");
  await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<void>((resolve) => {
          socket.on("error", () => undefined).on("close", () => resolve());
          socket.write(head);
          socket.write(body, () => resolve());
        }),
    ),
  );
  return sockets;
}

/** JSON that is right, and a million levels deep. */
function nested(opening: string, inside: string, closing: string): string {
  return `${opening.repeat(1_000_000)}${inside}${closing.repeat(1_000_000)}`;
}

/** A server that does not read on may also be noticed by the connection that it closes. */
const orCut = (status: number) => expect.toSatisfy((got) => got === status || got === "EPIPE" || got === "ECONNRESET");

function codeOf(error: NodeJS.ErrnoException): string {
  return error.code ?? error.message;
}

function peakMegabytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

test.each(["SIGTERM", "SIGKILL"] as const)(
  "the read worker process ends with the server, also by %s",
  async (signal) => {
    const { url, pid, key, kill } = await servedOwn();
    const headers = { "x-bugzilla-api-key": key };
    expect((await ask(`${url}/rest/bug?product=Project&include_fields=id`, { headers })).body).toBe('{"bugs":[]}');
    const children = childrenOf(pid);
    expect(children).toHaveLength(1);
    await kill(signal);
    while (children.some(isAlive)) await new Promise(setImmediate);
  },
);

function childrenOf(pid: number): readonly number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").map(Number);
}

function isAlive(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
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
  expect(said()).toContain("GET /rest/valid_login?login=owner@localhost&api_key=*** 200");
  expect(said().match(/\d+ ms$/gm)).toHaveLength(11);
  expect(said().replace(/API key of \S+: \w+/, "")).not.toContain(key);
});
