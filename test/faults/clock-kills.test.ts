import { describe, expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { type Clock, runningClock } from "../clock.ts";
import { freshFolder } from "../fresh-folder.ts";
import { isFull } from "../sampling.ts";
import { start } from "./child.ts";
import { LINES, STEPS, TRACES } from "./clock-steps.ts";
import { type Fate, faultyTracker } from "./faulty-tracker.ts";
import { KILL_MOMENTS, type Killed, killedAt } from "./kill-moments.ts";
import { jobsOf } from "./ran.ts";

const BEFORE_SENT = "before it is sent";
const MOMENTS = [BEFORE_SENT, ...KILL_MOMENTS] as const;

type Case = {
  readonly step: string;
  readonly kind: keyof typeof LINES;
  readonly moment: (typeof MOMENTS)[number];
  readonly isMute: boolean;
};

/** Every combination, or a sample of it. */
function cases(): readonly Case[] {
  const all = Object.keys(STEPS).flatMap((step) =>
    (Object.keys(LINES) as Case["kind"][]).flatMap((kind) =>
      MOMENTS.flatMap((moment) => [false, true].map((isMute) => ({ step, kind, moment, isMute }))),
    ),
  );
  return isFull ? all : SAMPLE;
}

const SAMPLE: readonly Case[] = [
  { step: "-1 h", kind: "create", moment: "before it is sent", isMute: false },
  { step: "-1 h", kind: "comment", moment: "before its answer", isMute: false },
  { step: "+1 day", kind: "update", moment: "with its answer", isMute: false },
  { step: "+1 day", kind: "create", moment: "before it is handled", isMute: true },
];

describe("after a kill and a clock change the write is applied once, or resume exits with 9", () => {
  test.each(cases())("$kind killed $moment, then $step, no Date: $isMute", async ({ step, kind, moment, isMute }) => {
    const { tracker, client, env, home } = await killed(kind, moment, isMute);
    client.step(STEPS[step] ?? 0);
    const [open] = jobsOf(home, "open");
    const writes = tracker.writes().length;
    if (writes > 0) expect([...jobsOf(home, "open"), ...jobsOf(home, "finished")]).toHaveLength(1);
    if (open === undefined) return expect(tracker.count(TRACES[kind])).toBe(writes);
    const { code, err } = await btConnected(`job send ${open.replace(".jsonl", "")}`, { env });
    if (code === 0) return expect(tracker.count(TRACES[kind]), err).toBe(1);
    expect({ code, writes: tracker.writes().length }, err).toEqual({ code: 9, writes: 1 });
  });
});

async function killed(kind: Case["kind"], moment: Case["moment"], isMute: boolean) {
  const client: Clock = runningClock();
  const running: Killed = {};
  const beforeWrites: Fate = async ({ request, pass }) => {
    if (/^\/rest\/bug(\/43(\/comment)?)?$/.test(request.path)) running.bt?.kill("SIGKILL");
    await pass();
  };
  const fate = moment === BEFORE_SENT ? { read: beforeWrites } : { write: killedAt(1, moment, running) };
  const tracker = await faultyTracker({ clock: runningClock(), clientClock: client, isTimeless: isMute, ...fate });
  const home = freshFolder();
  const env = { ...tracker.env, HOME: home, XDG_STATE_HOME: `${home}/.local/state`, XDG_CACHE_HOME: `${home}/.cache` };
  running.bt = start(LINES[kind].split(" "), env);
  await running.bt.end;
  return { tracker, client, env, home };
}
