import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { type Clock, runningClock, stoppedClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { sampled } from "../sampling.ts";
import { answer } from "../servers/fault-server.ts";
import { FATES, type FaultyTracker, faultyTracker, type Incident } from "./faulty-tracker.ts";
import { jobIn } from "./ran.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;
/** Step of a clock (ms). */
const STEPS: Readonly<Record<string, number>> = {
  "-1 year": -365 * DAY,
  "-1 day": -DAY,
  "-1 h": -HOUR,
  "-10 s": -10 * SECOND,
  "-3 s": -3 * SECOND,
  nothing: 0,
  "+3 s": 3 * SECOND,
  "+1 h": HOUR,
  "+1 day": DAY,
  "+1 year": 365 * DAY,
};

/** Writes, and in `TRACES` what each of them leaves on the tracker. */
const LINES = {
  create: "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -t Crash -d Steps",
  comment: "comment add 43 -m ping",
  update: "bug update 43 -m ping --priority Highest",
  fields: "bug update 43 --whiteboard ping",
  hours: "bug update 43 --work-time 0.5",
} as const;

const TRACES: Readonly<Record<keyof typeof LINES, string>> = {
  create: "SELECT count(*) FROM bugs WHERE summary = 'Crash'",
  comment: "SELECT count(*) FROM comments WHERE text = 'ping'",
  update: "SELECT count(*) FROM comments WHERE text = 'ping'",
  fields: "SELECT count(*) FROM activity WHERE bug_id = 43 AND field = 'status_whiteboard' AND added = 'ping'",
  hours: "SELECT count(*) FROM comments WHERE bug_id = 43 AND work_time = 0.5",
};

/** How far the `Date` of answers is off the tracker's clock (ms). */
const TELLING = {
  "its own Date": 0,
  "a Date an hour ahead": HOUR,
  "a Date an hour behind": -HOUR,
  "a Date a week ahead": 7 * 24 * HOUR,
  "a Date a week behind": -7 * 24 * HOUR,
  "no Date": undefined,
} as const;

type Case = {
  readonly kind: keyof typeof LINES;
  readonly step: string;
  readonly when: "before resume" | "during the run";
  readonly isApplied: boolean; // the write was handled; only its answer was lost
  readonly telling: keyof typeof TELLING;
  readonly client: "running" | "standing still";
  readonly isKilled: boolean; // before its outcome was in the journal
};

/** Every combination, or a sample of it that has every value of every row. */
function cases(): readonly Case[] {
  const all = Object.keys(STEPS).flatMap((step) =>
    (Object.keys(LINES) as Case["kind"][]).flatMap((kind) =>
      (["before resume", "during the run"] as const).flatMap((when) =>
        [true, false].flatMap((isApplied) =>
          (Object.keys(TELLING) as Case["telling"][]).flatMap((telling) =>
            (["running", "standing still"] as const).flatMap((client) =>
              [true, false].map((isKilled) => ({ kind, step, when, isApplied, telling, client, isKilled })),
            ),
          ),
        ),
      ),
    ),
  );
  return sampled(all, 61);
}

/** Traces of an older equal write, by the same login, before the client ever heard of the tracker. */
async function equalBefore(kind: Case["kind"], tracker: FaultyTracker): Promise<void> {
  const more = { product: "Lantern", component: "Library", version: "3.1", op_sys: "Linux", platform: "PC" };
  const bodies = {
    create: { method: "POST", path: "/rest/bug", body: { ...more, summary: "Crash", description: "Steps" } },
    comment: { method: "POST", path: "/rest/bug/43/comment", body: { comment: "ping" } },
    update: { method: "POST", path: "/rest/bug/43/comment", body: { comment: "ping" } },
    fields: { method: "PUT", path: "/rest/bug/43", body: { ids: [43], whiteboard: "ping" } },
    hours: { method: "PUT", path: "/rest/bug/43", body: { ids: [43], work_time: 0.5 } },
  } as const;
  await tracker.as(tracker.login, bodies[kind]);
  if (kind === "fields") await tracker.as(tracker.login, { ...bodies.fields, body: { ids: [43], whiteboard: "" } });
}

describe("a change without a response is applied exactly once, or exits with 9 unsent, whatever the clocks", () => {
  test.each(cases())(
    "$kind, $step $when, applied: $isApplied, $telling, client $client, killed: $isKilled",
    async (one) => {
      const { kind, when, isApplied, telling, isKilled } = one;
      const step = STEPS[one.step] ?? 0;
      const { tracker, clock, client, state } = await sceneOf(one);
      await equalBefore(kind, tracker);
      clock.step(30 * 60 * SECOND);
      client.step(30 * 60 * SECOND);
      const old = tracker.count(TRACES[kind]);
      state.write = async (incident) => {
        if (isApplied) await incident.apply();
        if (when === "during the run") client.step(step);
        state.isOut = true;
        incident.socket.resetAndDestroy();
      };
      const home = freshFolder();
      const env = { ...tracker.env, ...client.env, HOME: home };
      const first = await btConnected(LINES[kind], { env });
      expect({ code: first.code, writes: tracker.writes().length }).toEqual({ code: 9, writes: 1 });
      delete state.write;
      state.isOut = false;
      clock.step(5 * SECOND);
      if (one.client === "running") client.step(5 * SECOND);
      if (when === "before resume") client.step(step);
      const journal = `${home}/.local/state/bt/jobs/${jobIn(first.err)}.jsonl`;
      if (isKilled) writeFileSync(journal, readFileSync(journal, "utf8").replace(/.*\n$/, ""));
      const { code, err } = await btConnected(`job send ${jobIn(first.err)}`, { env });
      const made = tracker.count(TRACES[kind]) - old;
      if (code === 0) expect(made, `${telling}: ${err}`).toBe(1);
      else expect({ code, writes: tracker.writes().length }, err).toEqual({ code: 9, writes: 1 });
    },
  );
});

async function sceneOf({ telling, client: kind }: Case) {
  const off = TELLING[telling];
  const clock = stoppedClock();
  const client: Clock = kind === "running" ? runningClock() : stoppedClock();
  const state: { write?: (incident: Incident) => Promise<void>; isOut: boolean } = { isOut: false };
  const tell = async ({ apply, socket }: Incident) => {
    const { body, headers, status } = await apply();
    const date = off === undefined ? {} : { date: new Date(clock.now().getTime() + off).toUTCString() };
    socket.write(answer(body, { status: `${status} OK`, headers: { ...headers, ...date } }));
  };
  const tracker = await faultyTracker({
    clock,
    clientClock: client,
    write: (incident) => (state.write ?? tell)(incident),
    read: (incident) => (state.isOut ? FATES.badGatewayBefore(incident) : tell(incident)),
  });
  return { tracker, clock, client, state };
}
