import { describe, expect, test } from "vitest";
import { userByLogin } from "../../../../src/tracker/http/call.ts";
import type { Exchange, JsonObject } from "../../../../src/wire/exchange.ts";
import { bt, type Ran } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";
import { demo } from "../../demo.ts";

const NOW = "2026-11-20T12:00:00Z";

/** The body of the bug that a run filed. */
function filed({ requests }: Ran): JsonObject {
  return requests.findLast(({ method }) => method === "POST")?.body as JsonObject;
}

describe("the clone of a bug", () => {
  test("has its fields, depends on it, and names it in the description", async () => {
    const bt = demo();
    const [original] = JSON.parse((await bt("bug get 44 --json")).out);
    const ran = await bt("bug clone 44");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    const number = ran.out.trim();
    const [clone] = JSON.parse((await bt(`bug get ${number} --json`)).out);
    for (const name of ["product", "component", "version", "summary", "platform", "op_sys", "priority", "severity"])
      expect(clone[name]).toBe(original[name]);
    expect(clone).toMatchObject({ keywords: original.keywords, cf_build: original.cf_build, depends_on: [44] });
    expect(clone.cc).toContain(original.creator);
    expect((await bt(`comment get ${number}.0 --json`)).out).toContain('"Cloned from bug 44\\n\\nThe choice is taken');
  });

  test("has texts that only look empty", async () => {
    const bt = demo();
    expect((await bt("bug update 44 --summary 0 --set-whiteboard=---")).code).toBe(0);
    expect(filed(await bt("bug clone 44"))).toMatchObject({ summary: "0", whiteboard: "---" });
  });

  test("has a custom date, which trackers return as a moment", async () => {
    const bt = demo();
    expect((await bt("bug update 44 --field cf_ship_by=2026-12-27")).code).toBe(0);
    expect((await bt("bug get 44 --json=cf_ship_by")).out).toContain('"2026-12-27T00:00:00Z"');
    expect(filed(await bt("bug clone 44"))).toMatchObject({ cf_ship_by: "2026-12-27" });
  });

  test("has the values of flags in place of those of the bug", async () => {
    const ran = await demo()(
      "bug clone 44 -t Other -d Mine --keywords crash --cc '' --depends-on '' --field cf_build=9",
    );
    expect(filed(ran)).toMatchObject({
      ...{ product: "Lantern", summary: "Other", description: "Mine", keywords: ["crash"] },
      ...{ cc: [], depends_on: [], cf_build: "9" },
    });
  });

  test("in another product has no version of the old one, and needs its component", async () => {
    const ran = await demo()("bug clone 44 -p Harbor -c API --version 1.5");
    expect(filed(ran)).toMatchObject({ product: "Harbor", component: "API", version: "1.5" });
    const less = await demo()("bug clone 44 -p Harbor");
    expect([less.code, filed(less)]).toEqual([2, undefined]);
    expect(less.err).toContain('bt: unknown component "Import & Export" in Harbor\n');
  });

  test("of a missing bug is an error, and --dry-run sends nothing", async () => {
    expect((await demo()("bug clone 4444")).code).toBe(5);
    const dry = await demo()("bug clone 44 --dry-run");
    expect([dry.code, filed(dry)]).toEqual([0, undefined]);
    expect(dry.err).toContain("would send POST /rest/bug");
  });
});

describe("the clone of a restricted bug", () => {
  const RESTRICT = "bug update 44 --add-groups security --add-cc mei@example.org";

  /** The lines of a member of the security group; `via` stands before the tracker. */
  async function asMember(restrict: string) {
    const { tracker, store } = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count) });
    const userId = userByLogin(store, "mei@example.org")?.id as number;
    const exchange: Exchange = async (request) => tracker(request, userId);
    const run = (line: string, via = exchange) => bt(line, { exchange: via, now: NOW, login: "mei@example.org" });
    expect(await run(restrict)).toMatchObject({ code: 0 });
    return { run, exchange };
  }

  test("is in its groups", async () => {
    const { run } = await asMember(RESTRICT);
    const ran = await run("bug clone 44");
    expect([ran.code, ran.err]).toEqual([0, ""]);
    expect(filed(ran)).toMatchObject({ groups: ["security"], cc: ["jonas@example.org", "mei@example.org"] });
    expect(filed(await run("bug clone 44 --no-groups"))).toMatchObject({ groups: [] });
  });

  test("has no CC users and no reporter who may not see the bug", async () => {
    const { run } = await asMember(`${RESTRICT} --is-cc-accessible no --is-creator-accessible no`);
    const ran = await run("bug clone 44");
    expect(filed(ran)).not.toHaveProperty("cc");
  });

  test("has a private description if the bug has one", async () => {
    const { run } = await asMember("bug update 44 --comment-is-private 44#0=yes");
    expect(filed(await run("bug clone 44"))).toMatchObject({ comment_is_private: true });
  });

  test("is an error where the tracker does not apply the groups, and is not filed where they are unknown", async () => {
    const { run, exchange } = await asMember(RESTRICT);
    const ran = await run("bug clone 44", async (request) => {
      if (request.method !== "POST") return exchange(request);
      const { groups: _, ...body } = request.body as JsonObject;
      return exchange({ ...request, body });
    });
    expect([ran.code, ran.out]).toEqual([10, expect.stringMatching(/^\d+\n$/)]);
    expect(ran.err).toContain("; not applied: groups\n");
    const silent: Exchange = async (request) => {
      const reply = await exchange(request);
      return { ...reply, body: String(reply.body).replaceAll('"groups"', '"other"') };
    };
    const refused = await run("bug clone 44", silent);
    expect([refused.code, filed(refused)]).toEqual([13, undefined]);
    expect(refused.err).toContain("does not return the groups of bug 44");
    expect((await run("bug clone 44 --no-groups --dry-run", silent)).code).toBe(0);
  });
});
