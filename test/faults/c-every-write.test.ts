import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { type Around, btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { sampled } from "../much.ts";
import { crowd } from "../servers/demo-server.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type Fate, faultyTracker, type Incident } from "./faulty-tracker.ts";
import { jobIn, jobsOf } from "./ran.ts";
import { MOST_FREE, WRITES, type Written } from "./writes.ts";

function gateway(body: string, status: string, headers = {}): string {
  return answer(body, { status, headers });
}

const packed = gzipSync("{}").subarray(0, 12);

/** What may stand in place of the answer, which tells nothing of what became of the write. */
const LOST: Readonly<Record<string, (socket: Incident["socket"]) => unknown>> = {
  "a reset": (socket) => socket.resetAndDestroy(),
  "an end": (socket) => socket.end(),
  "headers, then an end": (socket) => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
  "a banner": (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n"),
  "an empty answer": (socket) => socket.write(answer("")),
  "no content": (socket) => socket.write("HTTP/1.1 204 No Content\r\n\r\n"),
  "not modified": (socket) => socket.write("HTTP/1.1 304 Not Modified\r\n\r\n"),
  "a web page": (socket) => socket.write(answer("<html>Log in</html>", { headers: { "content-type": "text/html" } })),
  "an answer of another kind": (socket) => socket.write(answer('{"result":"ok"}')),
  "an answer about another bug": (socket) =>
    socket.write(answer('{"bugs":[{"id":1,"alias":[],"changes":{},"last_change_time":"2020-01-01T00:00:00Z"}]}')),
  "an error of nobody": (socket) => socket.write(answer('{"error":true,"message":null}')),
  "a broken encoding": (socket) => {
    socket.write(gateway("", "200 OK", { "content-encoding": "gzip", "content-length": packed.length }));
    socket.write(packed);
  },
  "a page of a gateway": (socket) => socket.write(gateway("<html>nginx</html>", "502 Bad Gateway")),
  "JSON of a gateway": (socket) =>
    socket.write(gateway('{"error":"Gateway Timeout","message":"upstream","code":504}', "504 Gateway Timeout")),
  "a gateway that wants patience": (socket) => socket.write(gateway("", "502 Bad Gateway", { "retry-after": "1" })),
  "a cache whose server broke off": (socket) => socket.write(gateway("", "503 Backend failed", { "retry-after": "5" })),
  "a time-out": (socket) => socket.write(gateway("", "408 Request Timeout")),
  "a fault inside": (socket) => socket.write(answer('{"error":true,"code":100500,"message":"Not a HASH"}')),
};

/** All of it for one write, and for the others what their kind has to tell apart. */
function lostFor(write: Written): readonly (readonly [name: string, spoil: (typeof LOST)[string]])[] {
  const all = Object.entries(LOST);
  if (write === WRITES["comment add"]) return all;
  const telling = all.filter(([name]) => TELLING.includes(name));
  return sampled(telling, 2, Object.values(WRITES).indexOf(write));
}

const TELLING = [
  "a reset",
  "no content",
  "an answer of another kind",
  "an answer about another bug",
  "JSON of a gateway",
];

/** Answers that prove that nothing was done, and the exit code that each of them has. */
const REFUSED: Readonly<Record<string, readonly [answer: string, code: number]>> = {
  "too busy for a day": [gateway("", "429 Busy", { "retry-after": "86400" }), 8],
  "shut down": [
    gateway("<html><title>Bugzilla is Down</title></html>", "503 Down", { "content-type": "text/html" }),
    8,
  ],
  "too large": [gateway("", "413 Too Large"), 3],
  "not allowed": [gateway('{"error":true,"code":410,"message":"Log in first."}', "401 No"), 4],
};

/** What keeps a command from reading what it has to know before it may write. */
const BLIND: Readonly<Record<string, Fate>> = {
  "no response": FATES.resetBefore,
  "a gateway": FATES.badGatewayBefore,
  "a login page": FATES.loginPageBefore,
  "an empty object": FATES.emptyBefore,
};

/** A crowded tracker whose next write, and whose reads, have the fates that stand in `next`. */
async function spoilt() {
  const next: { write?: Fate | undefined; read?: Fate | undefined } = {};
  const tracker = await faultyTracker({
    write: (incident) => {
      const { write = ({ pass }: Incident) => pass() } = next;
      next.write = undefined;
      return write(incident);
    },
    read: (incident) => (next.read ? next.read(incident) : incident.pass()),
  });
  crowd(tracker, MOST_FREE);
  const home = freshFolder();
  const bt = (line: string, { env, ...around }: Pick<Around, "terminal" | "env" | "answers"> = {}) =>
    btConnected(line, { ...around, env: { ...tracker.env, HOME: home, ...env } });
  return { tracker, next, home, bt };
}

type Spoilt = Awaited<ReturnType<typeof spoilt>>;

/** What a command says of a write with such a fate, when it has been resumed where it says that it can be, and what is so. */
async function ending(write: Written, n: number, { tracker, next, home, bt }: Spoilt): Promise<string> {
  if (write.before) tracker.store.exec(write.before(n));
  const run = await bt(write.line(n), write.typed?.(n));
  const done = () => tracker.count(write.trace(n));
  if (run.code === 0) return `told, done ${done()}`;
  if (run.code !== 9 || done() > 1) return `exit ${run.code}, done ${done()}: ${run.err}`;
  const job = jobIn(run.err);
  if (!jobsOf(home, "open").includes(`${job}.jsonl`)) return `no job: ${run.err}`;
  next.read = FATES.badGatewayBefore;
  const blind = await bt(`resume ${job}`);
  next.read = undefined;
  if (blind.code !== 9 || done() > 1) return `blind: exit ${blind.code}: ${blind.err}`;
  const again = await bt(`resume ${job}`);
  return again.code === 0 ? `resumed, done ${done()}` : `resume: exit ${again.code}, done ${done()}: ${again.err}`;
}

describe.each(Object.entries(WRITES))("%s", (_, write) => {
  test("an applied write is confirmed, an unknown one is called unknown, and resume applies one that was not", async () => {
    const spoiling = await spoilt();
    const ends: (readonly string[])[] = [];
    for (const [at, [name, spoil]] of lostFor(write).entries()) {
      spoiling.next.write = async ({ apply, socket }) => {
        await apply();
        spoil(socket);
      };
      ends.push([name, "told, done 1", await ending(write, 100 + at, spoiling)]);
      spoiling.next.write = ({ socket }) => spoil(socket);
      if (at % 4 === 0) ends.push([name, "resumed, done 1", await ending(write, 200 + at, spoiling)]);
    }
    expect(ends.filter(([, wanted, end]) => end !== wanted)).toEqual([]);
  });

  test("a refused write is not applied and is reported as refused", async () => {
    const { tracker, next, bt } = await spoilt();
    const ends: unknown[] = [];
    for (const [at, [refusal]] of Object.values(REFUSED).entries()) {
      if (write.before) tracker.store.exec(write.before(100 + at));
      next.write = ({ socket }) => void socket.write(refusal);
      const { code, err } = await bt(write.line(100 + at), write.typed?.(100 + at));
      ends.push([code, tracker.count(write.trace(100 + at)), /no changes made|bt: 0 of (22|1) bugs done/.test(err)]);
    }
    expect(ends).toEqual(Object.values(REFUSED).map(([, code]) => [code, 0, true]));
  });

  test("a command that cannot read what it needs sends nothing", async () => {
    const { tracker, next, bt } = await spoilt();
    for (const [at, [name, fate]] of Object.entries(BLIND).entries()) {
      if (write.before) tracker.store.exec(write.before(100 + at));
      next.read = fate;
      const typed = write.typed?.(100 + at);
      const env = { ...typed?.env, XDG_CACHE_HOME: freshFolder() };
      const { code } = await bt(write.line(100 + at), { ...typed, env });
      const needsNoReading = code === 0 && tracker.count(write.trace(100 + at)) === 1;
      expect(needsNoReading || [4, 6, 7, 8].includes(code), `${name}: exit ${code}`).toBe(true);
      if (!needsNoReading) expect(tracker.writes()).toEqual([]);
    }
  });
});
