import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import { describe, expect, test } from "vitest";
import type { Exchange, JsonObject, Request } from "../../../../src/wire/exchange.ts";
import { type Around, bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";

type Step = () => Promise<unknown> | unknown;

/** A demo whose clock is `time`, and a watch that does one step in each pause and gets a signal after the last. */
function watched() {
  const clock = { time: Date.parse("2026-11-20T12:00:00Z") };
  const tracker = freshDemo({ now: () => new Date(clock.time), random: (count) => new Uint8Array(count) });
  const home = freshFolder();
  const later = (seconds: number) => {
    clock.time += seconds * 1000;
  };
  const send = async (request: Omit<Request, "query">) => {
    later(1);
    const reply = await tracker.exchange({ query: [], ...request });
    if (reply.status >= 400) throw new Error(reply.body);
  };
  const update = (id: number, body: JsonObject) => send({ method: "PUT", path: `/rest/bug/${id}`, body });
  const comment = (id: number, text: string) =>
    send({ method: "POST", path: `/rest/bug/${id}/comment`, body: { comment: text } });
  const watch = async (line: string, steps: readonly Step[] = [], around: Partial<Around> = {}) => {
    const [stop, waits] = [new AbortController(), [] as number[]];
    let done = 0;
    const exchange: Exchange = async (request) => {
      if (waits.length > done) {
        later(120);
        await steps[done]?.();
        done = waits.length;
        if (done > steps.length) stop.abort("SIGINT");
      }
      return (around.exchange ?? tracker.exchange)(request);
    };
    const env = { HOME: home, PATH: process.env["PATH"] ?? "" };
    const ran = await bt(`bug watch ${line}`, {
      login: tracker.login,
      env,
      waits,
      signal: stop.signal,
      ...around,
      exchange,
    });
    const events = ran.out
      .trim()
      .split("\n")
      .filter((one) => one !== "");
    return { ...ran, waits, events: around.terminal ? [] : events.map((one) => JSON.parse(one)) };
  };
  return { tracker, clock, home, later, send, update, comment, watch };
}

const ME = "tomas@example.org";
const CLOSED = { status: "RESOLVED", resolution: "FIXED" };

const TITLE_46 = expect.stringMatching(/^A very long name of a preset/);

describe("bt bug watch", () => {
  test("reports what happens to bugs that match, each event once, until a change makes them leave", async () => {
    const { watch, update, comment } = watched();
    const { code, events, waits, err } = await watch("is:open component:Editor", [
      () => update(46, { priority: "Low", keywords: { add: ["crash"] } }),
      () => comment(46, "Seen here, too."),
      () => undefined,
      () => update(46, CLOSED),
      () => comment(46, "No longer followed."),
      () => update(46, { status: "CONFIRMED", resolution: "" }),
    ]);
    expect([code, err]).toEqual([130, ""]);
    expect(new Set(waits)).toEqual(new Set([120_000]));
    const about = { id: 46, summary: TITLE_46, who: ME };
    const first = { ...about, event: "changed", when: "2026-11-20T12:02:01Z" };
    const closing = { ...about, event: "changed", when: "2026-11-20T12:08:03Z" };
    const opening = { ...about, event: "changed", when: "2026-11-20T12:12:05Z" };
    expect(events).toEqual([
      { ...first, field: "priority", old: "Normal", new: "Low" },
      { ...first, field: "keywords", old: "", new: "crash" },
      {
        ...{ ...about, event: "commented", when: "2026-11-20T12:04:02Z", comment: expect.any(Number) },
        ...{ count: expect.any(Number), is_private: false, text: "Seen here, too." },
      },
      { ...closing, field: "status", old: "UNCONFIRMED", new: "RESOLVED" },
      { ...closing, field: "resolution", old: "", new: "FIXED" },
      { ...about, event: "left", when: closing.when },
      expect.objectContaining({ event: "commented", text: "No longer followed." }),
      { ...about, event: "entered", when: opening.when },
      expect.objectContaining({ event: "changed", field: "status", new: "CONFIRMED" }),
      expect.objectContaining({ event: "changed", field: "resolution", old: "FIXED", new: "" }),
      expect.objectContaining({ event: "changed", field: "is_confirmed" }),
    ]);
  });

  test("reports lines for people on a terminal, with a word of what it watches", async () => {
    const { watch, update } = watched();
    const steps = [() => update(46, { priority: "Low" }), () => update(46, CLOSED)];
    const { out, err } = await watch("is:open component:Editor --every 5m", steps, { terminal: true });
    expect(err).toMatch(/^note: \d+ bugs match; checking every 5 min\n$/);
    expect(out).toBe(
      [
        "2026-11-20 12:02 UTC #46 priority: Normal → Low · tomas@example.org · A very lo…",
        "2026-11-20 12:04 UTC #46 status: UNCONFIRMED → RESOLVED · tomas@example.org · A…",
        "2026-11-20 12:04 UTC #46 resolution: - → FIXED · tomas@example.org · A very lon…",
        "2026-11-20 12:04 UTC #46 left · tomas@example.org · A very long name of a prese…",
        "",
      ].join("\n"),
    );
  });

  test("sends few requests for a check: searches, and three more if there is news", async () => {
    const { watch, update, tracker } = watched();
    let sent: string[] = [];
    const checks: string[][] = [];
    const exchange: Exchange = async (request) => {
      const reply = await tracker.exchange(request);
      sent.push(`${request.path} ${reply.status}`);
      return reply;
    };
    const begin = () => {
      checks.push(sent);
      sent = [];
    };
    const news = async () => {
      begin();
      await update(46, { priority: "Low" });
    };
    await watch("is:open component:Editor", [begin, begin, news, begin], { exchange });
    expect(checks[2]?.filter((one) => one !== "/rest/bug 200")).toEqual([]);
    expect(checks[2]?.length).toBeLessThanOrEqual(3);
    expect(checks[3]?.filter((one) => !one.startsWith("/rest/bug "))).toEqual([
      ...["/rest/bug/46 200", "/rest/bug/46/history 200", "/rest/bug/46/comment 200"],
    ]);
    expect(checks[3]?.length).toBeLessThanOrEqual(6);
  });

  test("continues while the tracker cannot be reached, and loses nothing", async () => {
    const { watch, update, tracker } = watched();
    let isDown = false;
    const exchange: Exchange = async (request) =>
      isDown ? { status: 502, headers: {}, body: "<html>Bad gateway</html>" } : tracker.exchange(request);
    const { events, err } = await watch(
      "is:open component:Editor",
      [
        async () => {
          await update(46, { priority: "Low" });
          isDown = true;
        },
        () => {
          isDown = false;
        },
      ],
      { exchange },
    );
    expect(err).toContain("; checking again\n");
    expect(events).toMatchObject([{ event: "changed", field: "priority" }]);
  });

  test("reports a change that appears an hour after its stamp, or behind a later one", async () => {
    const { watch, update, clock, comment } = watched();
    const { events } = await watch("is:open component:Editor", [
      () => comment(39, "On time."),
      async () => {
        clock.time -= 3_600_000;
        await update(46, { priority: "Low" });
        clock.time += 3_600_000;
      },
      async () => {
        clock.time -= 200_000;
        await comment(39, "Late.");
        clock.time += 200_000;
      },
    ]);
    expect(events).toMatchObject([{ text: "On time." }, { field: "priority" }, { text: "Late." }]);
  });

  test("reports later changes and comments in the second of a check, each once", async () => {
    const { watch, update, comment, clock } = watched();
    const atOnce = (step: () => Promise<unknown>) => () => {
      clock.time = Date.parse("2026-11-20T12:05:00Z");
      return step();
    };
    const { events } = await watch("is:open component:Editor", [
      atOnce(() => update(46, { priority: "Low" })),
      atOnce(async () => {
        await update(46, { priority: "High" });
        clock.time -= 1000;
        await comment(46, "One.");
      }),
      () => undefined,
      () => update(46, CLOSED),
    ]);
    const lines = events.map((one) => one.text ?? `${one.event} ${one.old ?? ""}>${one.new ?? ""}`);
    expect(lines).toEqual([
      ...["changed Normal>Low", "changed Low>High", "One."],
      ...["changed UNCONFIRMED>RESOLVED", "changed >FIXED", "left >"],
    ]);
    expect(events.at(-1)).toMatchObject({ who: ME });
  });

  test.each([
    ["bug watch", "no criteria"],
    ["bug watch is:open --every soon", '--every "soon" is not a duration'],
    ["bug watch is:open --once --every 5m", "--once and --every cannot be used together"],
    ["bug watch is:opn", 'unknown state "opn"'],
    ["bug watch is:opened", 'unknown state "opened" for is: (column 1)\nhint: valid values: open, '],
  ])("%s is an error", async (line, error) => {
    const { watch } = watched();
    const ran = await watch(line.replace(/^bug watch ?/, ""));
    expect(ran).toMatchObject({ code: 2, out: "" });
    expect(ran.err).toContain(error);
  });
});

describe("--once", () => {
  test("reports what happened since the last one with these criteria", async () => {
    const { watch, update } = watched();
    const first = await watch("is:open component:Editor --once");
    expect(first).toMatchObject({ code: 0, out: "", err: expect.stringContaining("the next --once reports") });
    await update(46, { priority: "Low" });
    expect((await watch("is:open component:Editor --once")).events).toMatchObject([{ event: "changed", id: 46 }]);
    expect(await watch("is:open component:Editor --once")).toMatchObject({ code: 0, out: "", err: "" });
    await update(46, CLOSED);
    expect((await watch("is:open component:Library --once")).out).toBe("");
    expect((await watch("is:open component:Editor --once")).events.at(-1)).toMatchObject({ event: "left", id: 46 });
  });

  test("refuses a damaged state file, whose members stay as they were", async () => {
    const { watch, home } = watched();
    const line = "is:open component:Editor --once";
    await watch(line);
    const folder = `${home}/.local/state/bt/watch`;
    const file = `${folder}/${readdirSync(folder).find((name) => name.endsWith(".json"))}`;
    const members = ["mark", "start", "known", "seen", "reported"];
    expect(Object.keys(JSON.parse(readFileSync(file, "utf8")))).toEqual(members);
    writeFileSync(file, "{");
    expect((await watch(line)).err).toContain(`cannot use the watch state ${file}`);
  });
});
