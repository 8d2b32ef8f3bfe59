import { describe, expect, test } from "vitest";
import { asked } from "../../../bt.ts";
import { demo } from "../../demo.ts";

const at = { terminal: true };
const json = (out: string) => JSON.parse(out) as readonly Record<string, unknown>[];

describe("bt bug get on a terminal", () => {
  test("shows the description and the number of comments, with one more request", async () => {
    const ran = await demo()("bug get 29", at);
    expect(ran.out).toContain("\n29.0  ilse@example.org");
    expect(ran.out).toMatch(/\n1 comment: bt bug get 29 --comments\n$/);
    expect(ran.out).not.toContain("29.1");
    expect(asked(ran).filter((line) => line.includes("/comment"))).toEqual(["GET /rest/bug/29/comment"]);
  });

  test("shows the card even if the comments cannot be read", async () => {
    const bt = demo();
    const { exchange } = await trackerWithoutComments();
    const { code, out, err } = await bt("bug get 29", { ...at, exchange });
    expect([code, out.startsWith("#29  Import"), out.includes("29.0")]).toEqual([0, true, false]);
    expect(err).toContain("no description, since the comments cannot be read");
    expect(await bt("bug get 29 --comments", { ...at, exchange })).toMatchObject({ out: "" });
  });

  test("with --timeline has comments and changes in order of time", async () => {
    const { out } = await demo()("bug get 29 --timeline", at);
    const marks = out.match(/^(?:29\.\d|\w+@example\.org) /gm)?.map((mark) => mark.trim());
    expect(marks).toEqual(["29.0", "tomas@example.org", "29.1", "mei@example.org", "seun@example.org"]);
  });
});

describe("bt bug get for programs", () => {
  test("has comments and history as keys beside those of the API", async () => {
    const bt = demo();
    const [comments, history] = [
      json((await bt("comment list 29 30 --json")).out),
      json((await bt("bug history 29 30 --json")).out),
    ];
    const bugs = json((await bt("bug get 29 30 --timeline --json")).out);
    expect(bugs.flatMap((bug) => bug["comments"])).toEqual(comments);
    expect(bugs.map((bug) => bug["history"])).toEqual(history.map((one) => one["history"]));
    const plain = json((await bt("bug get 29 30 --json")).out);
    expect(bugs.map(({ comments: _, history: __, ...bug }) => bug)).toEqual(plain);
  });

  test("refuses them where there is no room", async () => {
    for (const rest of ["--comments -f id", "--history --format csv", "--timeline --format ids"]) {
      const refusal = { code: 2, err: expect.stringContaining("require a card or JSON\n") };
      expect(await demo()(`bug get 29 ${rest}`)).toMatchObject(refusal);
      expect(await demo()(`bug get 29 ${rest}`, at)).toMatchObject(refusal);
    }
  });
});

async function trackerWithoutComments() {
  const { freshDemo } = await import("../../../fresh-demo.ts");
  const inner = freshDemo({ now: () => new Date("2026-11-20T12:00:00Z"), random: (count) => new Uint8Array(count) });
  const body = JSON.stringify({ error: true, code: 102, message: "You may not read them." });
  const exchange: typeof inner.exchange = async (request) =>
    request.path.endsWith("/comment")
      ? { ...(await inner.exchange(request)), status: 401, body }
      : inner.exchange(request);
  return { exchange };
}

test.each([
  ["bug get 3 --json=id,title", 'unknown field "title"', "summary"],
  ["bug search is:open --jq .[].title --fields title", 'unknown field "title"', "summary"],
  ["bug search is:open --format ndjson -f 'id,Ship by'", 'unknown field "Ship by"', "cf_ship_by"],
])("a key that JSON would not have is refused, with the names that it has: bt %s", async (line, sentence, names) => {
  const { code, out, err } = await demo()(line);
  expect([code, out]).toEqual([2, ""]);
  expect(err.replaceAll("\\", "")).toContain(sentence);
  expect(err).toContain(`did you mean ${names}?`);
});
