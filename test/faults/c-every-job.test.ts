import { describe, expect, test } from "vitest";
import { sampled } from "../much.ts";
import { FATES, type Fate, faultyTracker } from "./faulty-tracker.ts";
import { BLIND, LOST, REFUSED, TELLING } from "./lost-answers.ts";
import { type OfflineDesk, offlineDesk } from "./offline-desk.ts";
import { OFFLINE_WRITES, type WrittenOffline } from "./writes.ts";

/** A tracker whose writes and reads have the fates in `next`; the n-th write from now on has that of `write`. */
async function spoilt() {
  const next: { write?: Fate | undefined; after: number; read?: Fate | undefined } = { after: 1 };
  const tracker = await faultyTracker({
    write: (incident) => {
      next.after -= 1;
      return next.after === 0 && next.write ? next.write(incident) : incident.pass();
    },
    read: (incident) => (next.read ? next.read(incident) : incident.pass()),
  });
  /** Somebody who has made the writes offline; the fate waits for one of them. */
  const desk = async ({ lines, spoilt: after }: WrittenOffline, n: number, fate?: Fate) => {
    const seated = await offlineDesk(tracker, { bugs: [44] });
    for (const line of lines(n)) expect(await seated.bt(`${line} --offline`)).toMatchObject({ code: 0 });
    Object.assign(next, { after, write: fate });
    return seated;
  };
  return { tracker, next, desk };
}

type Spoilt = Awaited<ReturnType<typeof spoilt>>;
type Case = { readonly write: WrittenOffline; readonly n: number; readonly seated: OfflineDesk };

/** Outcome of the sending, and how often everything was done, once it was sent again if need be. */
async function ending({ write, n, seated }: Case, { tracker, next }: Spoilt): Promise<string> {
  const done = () => tracker.count(write.trace(n));
  const sent = await seated.bt("job send --all");
  if (sent.code === 0) return `sent, done ${done()}, ${(await seated.jobs()).length} left`;
  if (sent.code !== 9 || done() > 1) return `exit ${sent.code}, done ${done()}: ${sent.err}`;
  next.read = FATES.badGatewayBefore;
  const blind = await seated.bt("job send --all");
  next.read = undefined;
  if (![8, 9].includes(blind.code) || done() > 1) return `blind: exit ${blind.code}: ${blind.err}`;
  const again = await seated.bt("job send --all");
  if (again.code !== 0) return `again: exit ${again.code}, done ${done()}: ${again.err}`;
  return `sent again, done ${done()}, ${(await seated.jobs()).length} left`;
}

describe.each(Object.entries(OFFLINE_WRITES))("job send --all of %s", (_, write) => {
  const place = Object.values(OFFLINE_WRITES).indexOf(write);
  const lost = () => sampled(TELLING, 3, place);
  const refused = () => sampled(Object.values(REFUSED), 3, place);

  test("a lost response is verified; what was not applied is resent, once", async () => {
    const spoiling = await spoilt();
    const ends: (readonly string[])[] = [];
    for (const [at, name] of lost().entries()) {
      const spoil = LOST[name] ?? (() => undefined);
      const applied = await spoiling.desk(write, at, async ({ apply, socket }) => {
        await apply();
        spoil(socket);
      });
      ends.push([name, await ending({ write, n: at, seated: applied }, spoiling)]);
      const absent = await spoiling.desk(write, 100 + at, ({ socket }) => spoil(socket));
      ends.push([name, await ending({ write, n: 100 + at, seated: absent }, spoiling)]);
    }
    expect(ends).toEqual(
      lost().flatMap((name) => [
        [name, "sent, done 1, 0 left"],
        [name, "sent again, done 1, 0 left"],
      ]),
    );
  });

  test("a refused job is not applied, stays, and is sent with what depends on it", async () => {
    const spoiling = await spoilt();
    const { tracker, desk } = spoiling;
    const ends: unknown[] = [];
    for (const [at, [refusal]] of refused().entries()) {
      const seated = await desk(write, at, ({ socket }) => void socket.write(refusal));
      const { code, err } = await seated.bt("job send --all");
      const left = (await seated.jobs()).length;
      ends.push([code === 0, tracker.count(write.trace(at)), /\d of \d jobs sent/.test(err), left > 0]);
      ends.push(await ending({ write, n: at, seated }, spoiling));
    }
    expect(ends).toEqual(refused().flatMap(() => [[false, 0, true, true], "sent, done 1, 0 left"]));
  });

  test("without the reads that it needs nothing is sent, or it is sent once", async () => {
    const spoiling = await spoilt();
    const { next, desk } = spoiling;
    for (const [at, [name, fate]] of sampled(Object.entries(BLIND), 3, place).entries()) {
      const seated = await desk(write, at);
      next.read = fate;
      const { code } = await seated.bt("job send --all");
      next.read = undefined;
      expect([0, 4, 6, 7, 8, 10], name).toContain(code);
      expect(await ending({ write, n: at, seated }, spoiling), name).toBe("sent, done 1, 0 left");
    }
  });
});
