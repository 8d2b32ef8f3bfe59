import { beforeEach, describe, expect, test } from "vitest";
import type { OpenedTracker } from "../../../../src/tracker/open.ts";
import type { Exchange, JsonObject } from "../../../../src/wire/exchange.ts";
import { asked, bt, type Ran } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { copyBugs } from "../../../tracker/many-bugs.ts";

const NOW = "2026-11-20T12:00:00Z";
let opened: OpenedTracker;

beforeEach(() => {
  const random = (count: number) => new Uint8Array(count).fill(7);
  opened = freshDemo({ now: () => new Date(NOW), random });
  set(44, "[x][y] foo");
  set(46, "[y]");
  set(47, "[y]");
  set(48, "");
});

function set(id: number, whiteboard: string): void {
  opened.store.run("UPDATE bugs SET whiteboard = ? WHERE id = ?", [whiteboard, id]);
}

function run(line: string, exchange: Exchange = opened.exchange): Promise<Ran> {
  return bt(line, { exchange, login: opened.login, now: NOW });
}

async function valuesOf(field: string, ...ids: readonly number[]): Promise<readonly unknown[]> {
  const { out } = await run(`bug get ${ids.join(" ")} --json=id,${field}`);
  return JSON.parse(out).map((bug: JsonObject) => bug[field]);
}

function writes(ran: Ran): readonly string[] {
  return asked(ran).filter((line) => line.startsWith("PUT"));
}

describe("a whiteboard token", () => {
  test("is added and removed, and the rest is unchanged", async () => {
    const { code, err } = await run("bug update 44 --add-whiteboard '[z],bar' --remove-whiteboard '[x]'");
    expect([code, err, await valuesOf("whiteboard", 44)]).toEqual([0, "", ["[y] foo [z] bar"]]);
  });

  test("is added to each bug individually", async () => {
    const ran = await run("bug update 44 46 47 48 --add-whiteboard '[z]'");
    expect(ran.code).toBe(0);
    expect(writes(ran)).toEqual([
      'PUT /rest/bug/44 {"whiteboard":"[x][y] foo [z]"}',
      'PUT /rest/bug/46 {"whiteboard":"[y] [z]"}',
      'PUT /rest/bug/47 {"whiteboard":"[y] [z]"}',
      'PUT /rest/bug/48 {"whiteboard":"[z]"}',
    ]);
    expect(await valuesOf("whiteboard", 44, 46, 47, 48)).toEqual(["[x][y] foo [z]", "[y] [z]", "[y] [z]", "[z]"]);
  });

  test("can be combined with other changes, and --dry-run shows the result", async () => {
    const ran = await run("bug update 44 --remove-whiteboard foo --priority Low --dry-run");
    expect([ran.code, writes(ran)]).toEqual([0, []]);
    expect(ran.out).toContain("whiteboard: [x][y] foo -> [x][y]");
  });

  test("is a single token: a text of several is rejected", async () => {
    const ran = await run("bug update 44 --add-whiteboard 'a b'");
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain('"a b" is not a single whiteboard token');
  });
});

describe("--whiteboard", () => {
  test("replaces everything, as --set-whiteboard does", async () => {
    await run("bug update 44 --whiteboard '[a] +b'");
    await run("bug update 46 '--set-whiteboard=+1, maybe'");
    expect(await valuesOf("whiteboard", 44, 46)).toEqual(["[a] +b", "+1, maybe"]);
    await run("bug update 44 --whiteboard ''");
    expect(await valuesOf("whiteboard", 44)).toEqual([""]);
  });
});

describe("a change in the meantime", () => {
  test("before the update is sent: the edit applies to the newest value", async () => {
    let reads = 0;
    const raced: Exchange = (request) => {
      if (request.method === "GET" && request.path.startsWith("/rest/bug/44") && ++reads === 2) set(44, "[new]");
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]'", raced);
    expect([ran.code, writes(ran).length, await valuesOf("whiteboard", 44)]).toEqual([0, 1, ["[new] [z]"]]);
  });

  test("an update of another's that the tracker reverts in passing is reported, and not set again", async () => {
    const reverting: Exchange = async (request) => {
      if (request.method !== "PUT") return opened.exchange(request);
      await opened.exchange({ ...request, body: { url: "http://new.example/", whiteboard: "[w2]" } });
      const stale = { url: "", whiteboard: "[x][y] foo" };
      return opened.exchange({ ...request, body: { ...(request.body as JsonObject), ...stale } });
    };
    const ran = await run("bug update 44 --severity major", reverting);
    expect([ran.code, writes(ran)]).toEqual([0, ['PUT /rest/bug/44 {"severity":"major"}']]);
    expect(ran.err.match(/^\w+: overwrote a newer change: bug 44: (url|whiteboard)/gm)).toHaveLength(2);
  });

  /** A bulk update of 30 bugs, in which something else is done to the tracker before each write. */
  async function bulk(meddle: (writes: number) => void, flags = "--add-whiteboard '[z]'") {
    copyBugs(opened.store, 100);
    const ids = [...Array(30).keys()].map((at) => 60 + at);
    for (const id of ids) set(id, `[${id % 3}]`);
    let writes = 0;
    const raced: Exchange = (request) => {
      if (request.method === "PUT") meddle(++writes);
      return opened.exchange(request);
    };
    return run(`bug update ${ids.join(" ")} ${flags} --yes`, raced);
  }

  test("in a bulk update: values are read right before, and what is overwritten even so is reported", async () => {
    const ran = await bulk((writes) => {
      if (writes === 3) for (const id of [62, 89]) set(id, "[new]"); // 62 was read, 89 is read later
    });
    expect([ran.code, writes(ran).length]).toEqual([0, 30]);
    expect(await valuesOf("whiteboard", 60, 62, 89)).toEqual(["[0] [z]", "[2] [z]", "[new] [z]"]);
    expect(ran.err).toContain('overwrote a newer change: bug 62: whiteboard was "[new]" before the update, not "[2]"');
  });

  test("in a bulk update with --if-unchanged: that bug is unchanged, the others are changed", async () => {
    const ran = await bulk((writes) => {
      if (writes === 1) set(62, "[new]");
    }, "--add-whiteboard '[z]' --if-unchanged");
    expect([ran.code, writes(ran).length]).toEqual([11, 29]);
    expect(await valuesOf("whiteboard", 60, 61, 62, 63)).toEqual(["[0] [z]", "[1] [z]", "[new]", "[0] [z]"]);
  });
});

describe("a multi-select", () => {
  test("accepts repeated flags and lists", async () => {
    await run("bug update 44 --field cf_devices=camera --field 'Devices=phone, card reader'");
    expect(await valuesOf("cf_devices", 44)).toEqual([["camera", "card reader", "phone"]]);
    await run("bug update 44 --field cf_devices=");
    expect(await valuesOf("cf_devices", 44)).toEqual([[]]);
  });

  test("is edited with +value and -value, for each bug individually", async () => {
    await run("bug update 44 --field cf_devices=camera,phone");
    const ran = await run("bug update 44 46 --field 'cf_devices=+card reader,-phone' --field cf_devices=-camera");
    expect(ran.code).toBe(0);
    expect(await valuesOf("cf_devices", 44, 46)).toEqual([["card reader"], ["card reader"]]);
  });

  test("is unambiguous: signed and plain values cannot be mixed, unknown ones are rejected", async () => {
    const mixed = await run("bug update 44 --field cf_devices=camera,+phone");
    expect([mixed.code, writes(mixed)]).toEqual([2, []]);
    expect(mixed.err).toContain("camera needs + or -");
    expect((await run("bug update 44 --field cf_devices=+camra")).err).toContain("did you mean camera?");
  });

  test("of a new bug is cumulative", async () => {
    const line = "bug create -p Lantern -c Editor --version 3.0 -t x --os All --platform All";
    const { out } = await run(`${line} --field cf_devices=+camera --field cf_devices=+phone`);
    expect(await valuesOf("cf_devices", Number(out))).toEqual([["camera", "phone"]]);
  });
});

test("two values for a single-value field are rejected", async () => {
  const ran = await run("bug update 44 --field cf_impact=everybody --field 'Impact=one person'");
  expect([ran.code, writes(ran)]).toEqual([2, []]);
  expect(ran.err).toContain("Impact takes one value, but 2 were given");
});

test.each([
  ["--add-alias '\"a\",b'", { alias: { add: ["a", "b"] } }],
  ["--add-see-also '\"https://x.example/?a=1,2\"'", { see_also: { add: ["https://x.example/?a=1,2"] } }],
  ["--add-see-also '\"https://x.example/?a=1,2\",3'", { see_also: { add: ["https://x.example/?a=1,2", "3"] } }],
])("commas separate values, except within double quotes: %s", async (flags, body) => {
  const { out } = await run(`bug update 44 ${flags} --dry-run --json`);
  expect(JSON.parse(out)).toMatchObject({ requests: [{ path: "/rest/bug/44", body }] });
});
