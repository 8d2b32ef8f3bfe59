import { describe, expect, test } from "vitest";
import { type Around, btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { sampled } from "../sampling.ts";
import { crowd } from "../servers/demo-server.ts";
import { FATES, type Fate, faultyTracker, type Incident } from "./faulty-tracker.ts";
import { MOST_FREE, WRITES, type Written } from "./lines.ts";
import { BLIND, GATEWAY_PAGES, LOST, REFUSED, TELLING } from "./lost-answers.ts";
import { jobIn, jobsOf } from "./ran.ts";

const place = (write: Written) => Object.values(WRITES).indexOf(write);

/** All of it for one write, and for the others what their kind has to tell apart. */
function lostFor(write: Written): readonly (readonly [name: string, spoil: (typeof LOST)[string]])[] {
  const all = Object.entries(LOST);
  if (write === WRITES["comment add"]) return all;
  const telling = all.filter(([name]) => TELLING.includes(name));
  return sampled(telling, 3, place(write));
}

/** Every page for one write; for the others three of them, a code and a body apart. */
function hidingPages(write: Written): typeof GATEWAY_PAGES {
  if (write === WRITES["comment add"]) return GATEWAY_PAGES;
  return [0, 31, 62]
    .map((step) => (place(write) + step) % GATEWAY_PAGES.length)
    .flatMap((at) => GATEWAY_PAGES.slice(at, at + 1));
}

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

/** Makes a write possible. */
async function prepared({ before, first }: Written, n: number, { tracker, next, bt }: Spoilt): Promise<void> {
  next.write = undefined;
  if (before) tracker.store.exec(before(n));
  if (first) expect(await bt(first(n))).toMatchObject({ code: 0 });
}

/** Words of a command about a write with such a fate, when it has been resumed where it says that it can be, and what is so. */
async function ending(write: Written, n: number, spoiling: Spoilt): Promise<string> {
  const { tracker, next, home, bt } = spoiling;
  const { write: fate } = next;
  await prepared(write, n, spoiling);
  next.write = fate;
  const run = await bt(write.line(n), write.typed?.(n));
  const done = () => tracker.count(write.trace(n));
  if (run.code === 0) return `told, done ${done()}`;
  if (run.code !== 9 || done() > 1) return `exit ${run.code}, done ${done()}: ${run.err}`;
  const job = jobIn(run.err);
  if (!jobsOf(home, "open").includes(`${job}.jsonl`)) return `no job: ${run.err}`;
  next.read = FATES.badGatewayBefore;
  const blind = await bt(`job send ${job} --yes`);
  next.read = undefined;
  if (blind.code !== 9 || done() > 1) return `blind: exit ${blind.code}: ${blind.err}`;
  const checked = await bt(`job send ${job}`);
  if (checked.code !== 9 || done() > 0) return `checked: exit ${checked.code}: ${checked.err}`;
  const again = await bt(`job send ${job} --yes`);
  return again.code === 0 ? `resent, done ${done()}` : `resend: exit ${again.code}, done ${done()}: ${again.err}`;
}

describe.each(Object.entries(WRITES))("%s", (_, write) => {
  test("an applied write is confirmed, an unknown one is called unknown, and resent by its job", async () => {
    const spoiling = await spoilt();
    const ends: (readonly string[])[] = [];
    for (const [at, [name, spoil]] of lostFor(write).entries()) {
      spoiling.next.write = async ({ apply, socket }) => {
        await apply();
        spoil(socket);
      };
      ends.push([name, "told, done 1", await ending(write, 100 + at, spoiling)]);
      spoiling.next.write = ({ socket }) => spoil(socket);
      if (at % 4 === 0) ends.push([name, "resent, done 1", await ending(write, 200 + at, spoiling)]);
    }
    expect(ends.filter(([, wanted, end]) => end !== wanted)).toEqual([]);
  });

  test("C28 an applied write that a gateway hides is confirmed", async () => {
    const spoiling = await spoilt();
    const ends: (readonly string[])[] = [];
    for (const [at, [name, page]] of hidingPages(write).entries()) {
      spoiling.next.write = async ({ apply, socket }) => {
        await apply();
        socket.write(page);
      };
      ends.push([name, await ending(write, 100 + at, spoiling)]);
    }
    expect(ends.filter(([, end]) => end !== "told, done 1")).toEqual([]);
  });

  test("a refused write is not applied and is reported as refused", async () => {
    const spoiling = await spoilt();
    const { tracker, next, bt } = spoiling;
    const ends: unknown[] = [];
    const refused = sampled(Object.values(REFUSED), 3, place(write));
    for (const [at, [refusal]] of refused.entries()) {
      await prepared(write, 100 + at, spoiling);
      next.write = function refuse({ socket }) {
        next.write = refuse; // the bugs of a refused list are sent one by one
        socket.write(refusal);
      };
      const { code, err } = await bt(write.line(100 + at), write.typed?.(100 + at));
      ends.push([
        code,
        tracker.count(write.trace(100 + at)),
        /no changes made|bt: 0 (of 1 bugs done|applied, )/.test(err),
      ]);
    }
    expect(ends).toEqual(refused.map(([, code]) => [code, 0, true]));
  });

  test("a command that cannot read what it needs sends nothing", async () => {
    const spoiling = await spoilt();
    const { tracker, next, bt } = spoiling;
    for (const [at, [name, fate]] of sampled(Object.entries(BLIND), 3, place(write)).entries()) {
      await prepared(write, 100 + at, spoiling);
      const before = tracker.writes().length;
      next.read = fate;
      const typed = write.typed?.(100 + at);
      const env = { ...typed?.env, XDG_CACHE_HOME: freshFolder() };
      const { code } = await bt(write.line(100 + at), { ...typed, env });
      const needsNoReading = code === 0 && tracker.count(write.trace(100 + at)) === 1;
      expect(needsNoReading || [4, 6, 7, 8].includes(code), `${name}: exit ${code}`).toBe(true);
      next.read = undefined;
      if (!needsNoReading) expect(tracker.writes()).toHaveLength(before);
    }
  });
});
