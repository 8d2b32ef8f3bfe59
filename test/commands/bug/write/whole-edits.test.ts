import { beforeEach, describe, expect, test } from "vitest";
import { requestFor } from "../../../../src/api/operations/operation.ts";
import { UPDATE_BUG } from "../../../../src/api/operations/write-bugs.ts";
import type { OpenedTracker } from "../../../../src/tracker/open.ts";
import type { Exchange, JsonObject, Request } from "../../../../src/wire/exchange.ts";
import { asked, bt, type Ran } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";
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

function run(line: string, exchange: Exchange = opened.exchange, env = {}): Promise<Ran> {
  return bt(line, { exchange, login: opened.login, now: NOW, env });
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

  test("is added to each bug individually; equal results share a request", async () => {
    const ran = await run("bug update 44 46 47 48 --add-whiteboard '[z]'");
    expect(ran.code).toBe(0);
    expect(writes(ran)).toEqual([
      'PUT /rest/bug/44 {"whiteboard":"[x][y] foo [z]"}',
      'PUT /rest/bug/46 {"ids":[46,47],"whiteboard":"[y] [z]"}',
      'PUT /rest/bug/48 {"whiteboard":"[z]"}',
    ]);
    expect(await valuesOf("whiteboard", 44, 46, 47, 48)).toEqual(["[x][y] foo [z]", "[y] [z]", "[y] [z]", "[z]"]);
  });

  test("can be combined with other changes, and --dry-run shows the result", async () => {
    const ran = await run("bug update 44 --remove-whiteboard foo --priority Low --dry-run");
    expect([ran.code, writes(ran)]).toEqual([0, []]);
    expect(ran.out).toContain("whiteboard: [x][y] foo -> [x][y]\t");
  });

  test("is a single token: a text of several is rejected", async () => {
    const ran = await run("bug update 44 --add-whiteboard 'a b'");
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain('"a b" is not a single whiteboard token');
  });

  test("cannot be both added and removed, nor combined with the whole text", async () => {
    for (const flags of ["--add-whiteboard a --remove-whiteboard a", "--add-whiteboard a --set-whiteboard b"]) {
      expect((await run(`bug update 44 ${flags}`)).code).toBe(2);
    }
  });
});

describe("--whiteboard", () => {
  test.each(["--whiteboard '+[x]'", "--whiteboard=+[x]"])(
    "%s is rejected: it would replace everything",
    async (flag) => {
      const ran = await run(`bug update 44 ${flag}`);
      expect([ran.code, writes(ran)]).toEqual([2, []]);
      expect(ran.err).toContain("hint: --add-whiteboard '[x]', or --set-whiteboard '+[x]' to replace the whole text\n");
    },
  );

  test.each(["-[x]", "-", "- later"])("%s is rejected too", async (text) => {
    const ran = await run(`bug update 44 '--whiteboard=${text}'`);
    expect([ran.code, writes(ran)]).toEqual([2, []]);
    expect(ran.err).toContain("--remove-whiteboard");
  });

  test("replaces everything with any other text, as --set-whiteboard does with any text", async () => {
    await run("bug update 44 --whiteboard '[a] +b'");
    await run("bug update 46 '--set-whiteboard=+1, maybe'");
    expect(await valuesOf("whiteboard", 44, 46)).toEqual(["[a] +b", "+1, maybe"]);
    await run("bug update 44 --whiteboard ''");
    expect(await valuesOf("whiteboard", 44)).toEqual([""]);
  });
});

describe("a change in the meantime is not overwritten", () => {
  test("before the update is sent: the edit applies to the newest value", async () => {
    let reads = 0;
    const raced: Exchange = (request) => {
      if (request.method === "GET" && request.path.startsWith("/rest/bug/44") && ++reads === 2) set(44, "[new]");
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]'", raced);
    expect([ran.code, writes(ran).length, await valuesOf("whiteboard", 44)]).toEqual([0, 1, ["[new] [z]"]]);
    expect(ran.out).toContain("44\tdone\twhiteboard: [new] -> [new] [z]\t");
  });

  test("at the moment of sending: the edit is made on the newer value, too", async () => {
    let isRaced = false;
    const raced: Exchange = (request) => {
      if (request.method === "PUT" && !isRaced) set(44, "[new] bar");
      isRaced ||= request.method === "PUT";
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]' --priority Highest -m Hello", raced);
    expect([ran.code, ran.err, await valuesOf("whiteboard", 44)]).toEqual([0, "", ["[z] [new] bar"]]);
    expect(ran.out).toContain("whiteboard: [new] bar -> [z] [new] bar; comment\t");
    expect(writes(ran)).toEqual([expect.stringContaining("Hello"), 'PUT /rest/bug/44 {"whiteboard":"[z] [new] bar"}']);
  });

  /**
   * The tracker as it is when two updates overlap: another one, of the same user too, is applied and answered, but ours is
   * applied to the bug as it was before.
   */
  function overlapping(other: JsonObject, undo: () => void): Exchange {
    let isRaced = false;
    return async (request) => {
      if (request.method === "PUT" && !isRaced) {
        isRaced = true;
        await opened.exchange({ ...request, body: other });
        undo();
      }
      return opened.exchange(request);
    };
  }

  test("while an update of another is applied: what was overwritten is made again, though no response shows it", async () => {
    const raced = overlapping({ whiteboard: "[y] foo [w2]" }, () => set(44, "[x][y] foo"));
    const ran = await run("bug update 44 --add-whiteboard '[w1]' -m Hello", raced);
    expect([ran.code, ran.err, await valuesOf("whiteboard", 44)]).toEqual([0, "", ["[y] foo [w1] [w2]"]]);
    expect(ran.out).toContain("44\tdone\twhiteboard: [x][y] foo -> [y] foo [w1] [w2]; comment\t");
    expect(writes(ran)).toEqual([
      expect.stringContaining("Hello"),
      'PUT /rest/bug/44 {"whiteboard":"[y] foo [w1] [w2]"}',
    ]);
  });

  test("while an update of another is applied: values of a multi-select, too", async () => {
    await run("bug update 44 --field cf_devices=camera");
    const raced = overlapping({ cf_devices: ["camera", "card reader"] }, () =>
      opened.store.run("DELETE FROM custom_choices WHERE bug_id = 44 AND value = 'card reader'"),
    );
    const ran = await run("bug update 44 --field cf_devices=+phone --field cf_devices=-camera", raced);
    expect([ran.code, ran.err, await valuesOf("cf_devices", 44)]).toEqual([0, "", [["card reader", "phone"]]]);
  });

  test.each([
    ["--add-whiteboard '[w1]' --remove-whiteboard foo --priority Low", "whiteboard", "[y] [w2] foo"],
    ["--field cf_devices=+phone --field cf_devices=-camera", "cf_devices", ["camera", "card reader"]],
  ])("and undone as one change, which leaves that of the other: %s", async (flags, field, left) => {
    const env = { HOME: freshFolder() };
    await run("bug update 44 --field cf_devices=camera");
    const priority = await valuesOf("priority", 44);
    const raced = overlapping({ whiteboard: "[y] foo [w2]", cf_devices: ["camera", "card reader"] }, () => {
      set(44, "[x][y] foo");
      opened.store.run("DELETE FROM custom_choices WHERE bug_id = 44 AND value = 'card reader'");
    });
    expect(writes(await run(`bug update 44 ${flags}`, raced, env))).toHaveLength(2);
    const [{ job }] = JSON.parse((await run("job list --last --json", opened.exchange, env)).out); // that restored
    const preview = await run(`bug undo --job ${job} --dry-run --json`, opened.exchange, env);
    const undone = await run("bug undo 44", opened.exchange, env);
    expect([undone.code, await valuesOf(field, 44)]).toEqual([0, [left]]);
    expect(await valuesOf("priority", 44)).toEqual(priority);
    expect(JSON.parse(preview.out).requests[0].body).toEqual(
      writes(undone).map((line) => JSON.parse(line.split(" ").slice(2).join(" ")))[0],
    );
  });

  /** The tracker that writes all of a bug as it was before another's update, here of its URL and whiteboard. */
  function reverting(isRefused: boolean): Exchange {
    let count = 0;
    return async (request) => {
      if (request.method !== "PUT") return opened.exchange(request);
      count += 1;
      if (count > 1) return isRefused ? { status: 400, headers: {}, body: REFUSAL } : opened.exchange(request);
      await opened.exchange({ ...request, body: { url: "http://new.example/", whiteboard: "[w2]", priority: "Low" } });
      const stale = { url: "", whiteboard: "[x][y] foo" };
      return opened.exchange({ ...request, body: { ...(request.body as JsonObject), ...stale } });
    };
  }
  const REFUSAL = JSON.stringify({ error: true, code: 115, message: "You are not authorized" });

  test("an update of another's that the tracker reverts in passing is set again, as far as it is no matter of this one", async () => {
    const ran = await run("bug update 44 --priority Highest", reverting(false));
    expect([ran.code, writes(ran).slice(1)]).toEqual([
      0,
      ['PUT /rest/bug/44 {"url":"http://new.example/","whiteboard":"[w2]"}'],
    ]);
    expect(ran.err.split("\n").slice(0, -1)).toEqual([
      'bt: restored what the tracker reverted: bug 44: url "http://new.example/", whiteboard "[w2]"',
      expect.stringMatching(/^bt: overwrote a newer change: bug 44: priority was "Low" before the update/),
    ]);
  });

  test("which an undo leaves as it is", async () => {
    const env = { HOME: freshFolder() };
    await run("bug update 44 --severity minor", reverting(false), env);
    const undone = await run("bug undo 44", opened.exchange, env);
    expect([undone.code, await valuesOf("url", 44)]).toEqual([0, ["http://new.example/"]]);
    expect(writes(undone)).toEqual(['PUT /rest/bug/44 {"severity":"normal"}']);
  });

  test("what that reverts itself is set again, too", async () => {
    let count = 0;
    const raced: Exchange = async (request) => {
      count += request.method === "PUT" ? 1 : 0;
      if (request.method !== "PUT" || count > 2) return opened.exchange(request);
      const [theirs, stale] = count === 1 ? [{ url: "http://new.example/" }, { url: "" }] : [{ severity: "major" }, {}];
      await opened.exchange({ ...request, body: theirs });
      const old = count === 2 ? { severity } : {};
      return opened.exchange({ ...request, body: { ...(request.body as JsonObject), ...stale, ...old } });
    };
    const severity = String(await valuesOf("severity", 44));
    const ran = await run("bug update 44 --priority Highest", raced);
    expect([ran.code, await valuesOf("url", 44), await valuesOf("severity", 44), count]).toEqual([
      0,
      ["http://new.example/"],
      ["major"],
      3,
    ]);
  });

  test("an update that cannot be set again is reported as overwritten", async () => {
    const ran = await run("bug update 44 --severity major", reverting(true));
    expect([ran.code, await valuesOf("url", 44)]).toEqual([0, [""]]);
    expect(ran.err.match(/^bt: overwrote a newer change: bug 44: (url|whiteboard)/gm)).toHaveLength(2);
  });

  test("while it cannot be read back: that is said", async () => {
    const deaf: Exchange = (request) =>
      request.path.endsWith("/history")
        ? Promise.resolve({ status: 403, headers: {}, body: "no" })
        : opened.exchange(request);
    const ran = await run("bug update 44 --add-whiteboard '[w1]'", deaf);
    expect([ran.code, ran.err]).toEqual([
      0,
      expect.stringContaining("could not check whether edits at the same time were lost: "),
    ]);
  });

  test("at the moment of each of four sendings: what is missing then is reported", async () => {
    let count = 0;
    const raced: Exchange = (request) => {
      if (request.method === "PUT") set(44, `[new ${++count}]`);
      return opened.exchange(request);
    };
    const ran = await run("bug update 44 --add-whiteboard '[z]'", raced);
    expect([ran.code, writes(ran).length]).toEqual([11, 4]);
    expect(ran.err).toContain("bug 44: whiteboard: [new 4] is missing, [new 2] is there again");
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

  test("in a bulk update: the edit applies to the newest value", async () => {
    const ran = await bulk((writes) => {
      if (writes === 1) set(62, "[new]");
    });
    expect([ran.code, writes(ran).length]).toEqual([0, 4]);
    expect(await valuesOf("whiteboard", 60, 61, 62, 63)).toEqual(["[0] [z]", "[1] [z]", "[new] [z]", "[0] [z]"]);
  });

  test("in a bulk update, while another is applied: the lost edit is an error", async () => {
    const ran = await bulk((writes) => {
      if (writes > 1) return;
      void opened.exchange(requestFor(UPDATE_BUG, { ids: [60], whiteboard: "[0] [w2]" }));
      set(60, "[0]");
    });
    expect([ran.code, await valuesOf("whiteboard", 60)]).toEqual([11, ["[0] [z]"]]);
    expect(ran.err).toContain("bug 60: whiteboard: [w2] is missing\n");
  });

  test("in a bulk update, time and again: three new edits, then that bug is unchanged and named", async () => {
    let reads = 0;
    const isOf62 = (path: string, query: Request["query"]) =>
      path.startsWith("/rest/bug") && [path, ...query.flat()].join(" ").includes("62");
    copyBugs(opened.store, 100);
    const ids = [...Array(30).keys()].map((at) => 60 + at);
    const raced: Exchange = (request) => {
      if (request.method === "GET" && isOf62(request.path, request.query)) set(62, `[${++reads}]`);
      return opened.exchange(request);
    };
    const ran = await run(`bug update ${ids.join(" ")} --add-whiteboard '[z]' --yes`, raced);
    expect(ran.code).toBe(11);
    expect(ran.err).toMatch(/bug 62: whiteboard changed in the meantime from "\[\d+\]" to "\[\d+\]"/);
    expect(await valuesOf("whiteboard", 61, 63)).toEqual(["[z]", "[z]"]);
    expect(writes(ran).join()).not.toMatch(/\b62\b/);
  });

  test("in a bulk update with --if-unchanged: that bug is unchanged, the others are changed", async () => {
    const ran = await bulk((writes) => {
      if (writes === 1) set(62, "[new]");
    }, "--add-whiteboard '[z]' --if-unchanged");
    expect([ran.code, writes(ran).length]).toEqual([11, 3]);
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

  test("of a new bug is cumulative too", async () => {
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
