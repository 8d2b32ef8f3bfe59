import { beforeEach, describe, expect, test } from "vitest";
import type { OpenedTracker } from "../../../src/tracker/open.ts";
import type { Exchange, JsonObject } from "../../../src/wire/exchange.ts";
import { asked, bt, type Ran } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { copyBugs } from "../../tracker/many-bugs.ts";

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

describe("a token of a whiteboard", () => {
  test("is added and removed, and the rest stays", async () => {
    const { code, err } = await run("bug update 44 --add-whiteboard '[z],bar' --remove-whiteboard '[x]'");
    expect([code, err, await valuesOf("whiteboard", 44)]).toEqual([0, "", ["[y] foo [z] bar"]]);
  });

  test("changes on several bugs, each from its own value; equal ones share a request", async () => {
    const ran = await run("bug update 44 46 47 48 --add-whiteboard '[z]'");
    expect(ran.code).toBe(0);
    expect(writes(ran)).toEqual([
      'PUT /rest/bug/44 {"ids":[44],"whiteboard":"[x][y] foo [z]"}',
      'PUT /rest/bug/46 {"ids":[46,47],"whiteboard":"[y] [z]"}',
      'PUT /rest/bug/48 {"ids":[48],"whiteboard":"[z]"}',
    ]);
    expect(await valuesOf("whiteboard", 44, 46, 47, 48)).toEqual(["[x][y] foo [z]", "[y] [z]", "[y] [z]", "[z]"]);
  });

  test("goes with other changes, and --dry-run shows what comes of it", async () => {
    const ran = await run("bug update 44 --remove-whiteboard foo --priority Low --dry-run");
    expect([ran.code, writes(ran)]).toEqual([0, []]);
    expect(ran.out).toContain("whiteboard\t[x][y] foo\t[x][y]");
  });

  test("is one token: a text of several is refused", async () => {
    const ran = await run("bug update 44 --add-whiteboard 'a b'");
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain('"a b" is not a single whiteboard token');
  });

  test("cannot be added and removed at once, nor with the whole text", async () => {
    for (const flags of ["--add-whiteboard a --remove-whiteboard a", "--add-whiteboard a --set-whiteboard b"]) {
      expect((await run(`bug update 44 ${flags}`)).code).toBe(2);
    }
  });
});

describe("--whiteboard", () => {
  test.each(["--whiteboard '+[x]'", "--whiteboard=+[x]"])("%s is refused: it would replace all", async (flag) => {
    const ran = await run(`bug update 44 ${flag}`);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain("hint: --add-whiteboard '[x]', or --set-whiteboard '+[x]' to replace the whole text\n");
  });

  test.each(["-[x]", "-", "- later"])("%s is refused too", async (text) => {
    const ran = await run(`bug update 44 '--whiteboard=${text}'`);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain("--remove-whiteboard");
  });

  test("replaces all with any other text, --set-whiteboard with any text", async () => {
    await run("bug update 44 --whiteboard '[a] +b'");
    await run("bug update 46 '--set-whiteboard=+1, maybe'");
    expect(await valuesOf("whiteboard", 44, 46)).toEqual(["[a] +b", "+1, maybe"]);
    await run("bug update 44 --whiteboard ''");
    expect(await valuesOf("whiteboard", 44)).toEqual([""]);
  });
});

describe("what somebody else changes meanwhile is not taken back", () => {
  test("before the change is sent: nothing is sent", async () => {
    let reads = 0;
    const raced: Exchange = (request) => {
      if (request.method === "GET" && request.path.startsWith("/rest/bug/44") && ++reads === 2) set(44, "[new]");
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]'", raced);
    expect([ran.code, writes(ran), await valuesOf("whiteboard", 44)]).toEqual([11, [], ["[new]"]]);
    expect(ran.err).toContain('another user changed whiteboard from "[x][y] foo" to "[new]"');
  });

  test("in the moment of sending: both versions are named", async () => {
    const raced: Exchange = (request) => {
      if (request.method === "PUT") set(44, "[new]");
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]'", raced);
    expect(ran.code).toBe(11);
    expect(ran.err).toContain('whiteboard was "[new]" by then, not "[x][y] foo"; it is "[x][y] foo [z]" now');
  });

  test("in a change of many bugs: that bug is left alone, the others are changed", async () => {
    copyBugs(opened.store, 100);
    const ids = [...Array(30).keys()].map((at) => 60 + at);
    for (const id of ids) set(id, `[${id % 3}]`);
    let isRaced = false;
    const raced: Exchange = (request) => {
      if (request.method === "PUT" && !isRaced) set(62, "[new]");
      isRaced ||= request.method === "PUT";
      return opened.exchange(request);
    };
    const ran = await run(`bug update ${ids.join(" ")} --add-whiteboard '[z]' --yes`, raced);
    expect([ran.code, writes(ran).length]).toEqual([11, 3]);
    expect(await valuesOf("whiteboard", 60, 61, 62, 63)).toEqual(["[0] [z]", "[1] [z]", "[new]", "[0] [z]"]);
  });
});

describe("a multi-select", () => {
  test("takes all the values of repeated flags and of lists", async () => {
    await run("bug update 44 --field cf_devices=camera --field 'Devices=phone, card reader'");
    expect(await valuesOf("cf_devices", 44)).toEqual([["camera", "card reader", "phone"]]);
    await run("bug update 44 --field cf_devices=");
    expect(await valuesOf("cf_devices", 44)).toEqual([[]]);
  });

  test("is edited with +value and -value, on every bug from its own", async () => {
    await run("bug update 44 --field cf_devices=camera,phone");
    const ran = await run("bug update 44 46 --field 'cf_devices=+card reader,-phone' --field cf_devices=-camera");
    expect(ran.code).toBe(0);
    expect(await valuesOf("cf_devices", 44, 46)).toEqual([["card reader"], ["card reader"]]);
  });

  test("is not left in doubt: signed and plain values do not mix, an unknown one is refused", async () => {
    const mixed = await run("bug update 44 --field cf_devices=camera,+phone");
    expect([mixed.code, writes(mixed)]).toEqual([2, []]);
    expect(mixed.err).toContain("camera needs + or -");
    expect((await run("bug update 44 --field cf_devices=+camra")).err).toContain("did you mean camera?");
  });

  test("of a new bug adds up too", async () => {
    const line = "bug create -p Lantern -c Editor --version 3.0 -t x --os All --platform All";
    const { out } = await run(`${line} --field cf_devices=+camera --field cf_devices=+phone`);
    expect(await valuesOf("cf_devices", Number(out))).toEqual([["camera", "phone"]]);
  });
});

test("a field of one value that is given two is refused", async () => {
  const ran = await run("bug update 44 --field cf_impact=everybody --field 'Impact=one person'");
  expect([ran.code, writes(ran)]).toEqual([2, []]);
  expect(ran.err).toContain("Impact takes one value, but 2 were given");
});

test.each([
  ["--alias '+\"a\",+b'", { alias: { add: ["a", "b"] } }],
  ["--add-see-also '\"https://x.example/?a=1,2\"'", { see_also: { add: ["https://x.example/?a=1,2"] } }],
  ["--see-also '+\"https://x.example/?a=1,2\",+3'", { see_also: { add: ["https://x.example/?a=1,2", "3"] } }],
])("commas separate, but belong to what stands in double quotes: %s", async (flags, body) => {
  const { out } = await run(`bug update 44 ${flags} --dry-run --json`);
  expect(JSON.parse(out).body).toEqual({ ids: [44], ...body });
});
