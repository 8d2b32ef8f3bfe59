import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DROPPED_FIELDS } from "../../../../src/api/write/changes.ts";
import { userByLogin } from "../../../../src/tracker/http/call.ts";
import type { Exchange, JsonObject } from "../../../../src/wire/exchange.ts";
import { type Around, asked, bt } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { freshFolder } from "../../../fresh-folder.ts";

const NOW = "2026-11-20T12:00:00Z";
const NEW = "bug create -p Lantern -c Editor --version 3.0 -t x --os All --platform All";

function opened() {
  const random = (count: number) => new Uint8Array(count).fill(7);
  return freshDemo({ now: () => new Date(NOW), random });
}

/** A tracker that leaves out some of what a bug is to have, and says nothing. */
function dropping(...names: readonly string[]): Exchange {
  const { exchange } = opened();
  return (request) => {
    if (request.method === "GET") return exchange(request);
    const kept = Object.entries(request.body as JsonObject).filter(([name]) => !names.includes(name));
    return exchange({ ...request, body: Object.fromEntries(kept) });
  };
}

function run(line: string, exchange: Exchange, around: Partial<Around> = {}) {
  return bt(line, { exchange, now: NOW, login: "noor@example.org", ...around });
}

const ALL =
  "--status IN_PROGRESS -a seun@example.org --qa mei@example.org --deadline 2027-01-01 --estimated-time 3 " +
  "--depends-on 4 --blocks 5 --flag review? --keywords crash --priority High --alias noise";
const DROPPED = DROPPED_FIELDS.filter((name) => name !== "groups"); // none is given

describe("values of an update that the tracker did not apply", () => {
  const UPDATE = "bug update 44 49 --priority High --add-keywords a11y --flag needinfo?(mei@example.org) -m Why";

  test.each(["priority", "keywords", "flags"])("are an error for %s, after the changes", async (name) => {
    const ran = await run(`${UPDATE} --json`, dropping(name));
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.out).map((one: JsonObject) => one["not_applied"])).toEqual([[name], [name]]);
    expect(JSON.parse(ran.err).error.message).toBe(`bugs 44, 49: not applied: ${name}`);
  });

  test("are an error for a value that is cleared", async () => {
    const ran = await run("bug update 44 --qa-contact '' --priority High --json", dropping("qa_contact"));
    expect([ran.code, JSON.parse(ran.out)[0].not_applied]).toEqual([10, ["qa_contact"]]);
  });

  test("do not include those that were there before, or that the response does not report", async () => {
    const { code, err } = await run("bug update 44 --priority Normal --whiteboard ''", opened().exchange);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { exchange } = opened();
    const silent: Exchange = async (request) => {
      const reply = await exchange(request);
      return request.method === "PUT"
        ? { ...reply, body: reply.body.replace(/"changes":{.*?}}/, '"changes":{}') }
        : reply;
    };
    expect((await run("bug update 44 --priority High", silent)).code).toBe(0);
  });

  test("a read that fails is noted", async () => {
    const exchange = dropping("priority");
    let isWritten = false;
    const mute: Exchange = async (request) => {
      if (isWritten) return { status: 401, headers: {}, body: '{"error":true,"code":102,"message":"Hidden."}' };
      isWritten = request.method === "PUT";
      return exchange(request);
    };
    const { code, err } = await run("bug update 44 --priority High", mute);
    expect({ code, err }).toEqual({
      code: 0,
      err: expect.stringContaining("could not verify what was applied to bug 44: Hidden.\n"),
    });
  });
});

test("values of imported rows that the tracker did not apply are an error, too", async () => {
  const file = join(freshFolder(), "bugs.csv");
  writeFileSync(file, "id,priority,severity,last_change_time\n44,High,minor,\n49,Low,minor,\n");
  const ran = await run(`bug import ${file} --yes --json`, dropping("priority"));
  expect(ran.code).toBe(10);
  expect(JSON.parse(ran.out)).toMatchObject([
    { id: 44, not_applied: ["priority"] },
    { id: 49, not_applied: ["priority"], changes: { severity: { added: "minor" } } },
  ]);
  expect(JSON.parse(ran.err).error.message).toBe("bugs 44, 49: not applied: priority");
});

describe("values of a new bug that the tracker did not apply", () => {
  test("are a warning that names each of them, after the id", async () => {
    const ran = await run(`${NEW} ${ALL}`, dropping(...DROPPED));
    expect(ran.code).toBe(0);
    const [, names = ""] = new RegExp(`^note: created bug ${ran.out.trim()}; not applied: (.*)\n$`).exec(ran.err) ?? [];
    expect(names.split(", ").sort()).toEqual(DROPPED.toSorted());
  });

  test.each(DROPPED)("are detected for %s alone", async (name) => {
    const { code, out } = await run(`${NEW} ${ALL} --json`, dropping(name));
    expect([code, JSON.parse(out)["not_applied"]]).toEqual([0, [name]]);
  });
});

describe("a new bug is read back", () => {
  test("with one request, and without a message if everything was applied", async () => {
    const ran = await run(`${NEW} ${ALL}`, opened().exchange);
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const after = asked(ran).slice(asked(ran).findIndex((line) => line.startsWith("POST")) + 1);
    const [read = "", ...others] = after;
    expect(others).toEqual([]);
    const [path, fields = ""] = read.split("?include_fields=");
    expect(path).toBe(`GET /rest/bug/${ran.out.trim()}`);
    expect(fields.split(",").sort()).toEqual([...DROPPED, "summary", "id"].sort());
  });

  test("comparing logins in any case and dependencies by alias", async () => {
    const { exchange } = opened();
    await run("bug update 4 --add-alias crop-tool", exchange);
    const ran = await run(`${NEW} -a SEUN@example.org --cc mei@example.org --depends-on crop-tool --json`, exchange);
    expect(JSON.parse(ran.out)["not_applied"]).toEqual([]);
  });

  test.each(["", "--json"])("and a failure to do so is a note, since the bug exists %s", async (format) => {
    const { exchange } = opened();
    let isFiled = false;
    const failing: Exchange = async (request) => {
      if (isFiled) return { status: 500, headers: { "content-type": "application/json" }, body: "{}" };
      isFiled = request.method === "POST";
      return exchange(request);
    };
    const ran = await run(`${NEW} -a seun@example.org ${format}`, failing);
    expect([ran.code, ran.out]).toEqual([0, expect.stringMatching(/^(?:\d+|\{"id":\d+,"result":"created"\})\n$/)]);
    expect(ran.err).toMatch(/^note: could not verify what was applied to bug \d+: /);
  });
});

test("without editbugs the values dropped by the embedded tracker are reported, as on a Bugzilla", async () => {
  const { store, tracker } = opened();
  const login = "lucia@example.org";
  const userId = userByLogin(store, login)?.id ?? 0;
  const exchange: Exchange = (request) => tracker(request, userId);
  const flags = "--status IN_PROGRESS -a seun@example.org --deadline 2027-01-01 --estimated-time 3 --depends-on 4";
  const { code, err } = await run(`${NEW} ${flags} --keywords crash`, exchange, { login });
  expect(code).toBe(0);
  expect(err).toMatch(/not applied: assigned_to, status, depends_on, deadline, estimated_time\n$/);
});

test("a value that the tracker stores as another one is not applied, though the response reports a change", async () => {
  const { exchange } = opened();
  const other: Exchange = (request) =>
    exchange(request.method === "PUT" ? { ...request, body: { ids: [44], priority: "Low" } } : request);
  const ran = await run("bug update 44 --priority Highest", other);
  expect([ran.code, ran.err]).toEqual([10, expect.stringContaining("bug 44: not applied: priority")]);
  expect(
    await run("bug update 44 --assigned-to MEI@example.org --estimated-time 3.50", opened().exchange),
  ).toMatchObject({
    ...{ code: 0, err: "" },
  });
});

test("a new bug is the one that was sent: the id of another one is no result", async () => {
  const { exchange } = opened();
  const other: Exchange = async (request) => {
    const response = await exchange(request);
    return request.method === "POST" ? { ...response, body: '{"id":44}' } : response;
  };
  const ran = await run(`${NEW} --priority High`, other);
  expect([ran.code, ran.out, ran.err]).toEqual([9, "", expect.stringContaining("names bug 44, which is another one")]);
});
