import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange, JsonObject } from "../../../src/wire/exchange.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { demo } from "../demo.ts";

const DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n";

function file(name: string, content: string | Buffer): string {
  const path = join(freshFolder(), name);
  writeFileSync(path, content);
  return path;
}

async function added(name: string, content: string | Buffer, flags = ""): Promise<JsonObject> {
  const run = demo();
  const { out, err } = await run(`attachment add 12 '${file(name, content)}' ${flags}`);
  expect(err).toBe("");
  return JSON.parse((await run(`attachment get ${out.trim()} --json`)).out)[0];
}

const PNG = Buffer.from("89504e470d0a1a0a00000000", "hex");
const ZIP = Buffer.from("504b030400000000", "hex");
const NOISE = Buffer.from([0, 1, 2, 255]);

test.each<[name: string, content: string | Buffer, flags: string, type: string, isPatch: number]>([
  ["a.png", "text in spite of its name", "", "text/plain", 0],
  ["a.png", PNG, "", "image/png", 0],
  ["a.docx", ZIP, "", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", 0],
  ["a", ZIP, "", "application/octet-stream", 0],
  ["a.pcap", NOISE, "", "application/vnd.tcpdump.pcap", 0],
  ["a.ttf", NOISE, "", "application/octet-stream", 0],
  ["a.log", Buffer.from([0xe4, 0x20]), "", "text/plain", 0],
  ["a.bin", NOISE, "", "application/octet-stream", 0],
  ["a.bin", NOISE, "--content-type video/mp4", "video/mp4", 0],
  ["a.txt", DIFF, "", "text/plain", 1],
  ["a.txt", DIFF, "--content-type text/x-c", "text/x-c", 0],
  ["a.txt", "no diff", "--patch", "text/plain", 1],
])("%s with %j and %j is %s, patch %i", async (...[name, content, flags, content_type, is_patch]) => {
  const size = Buffer.byteLength(content);
  expect(await added(name, content, flags)).toMatchObject({ content_type, is_patch, size });
});

test.each(["Shot from 2026-11-29.png", "priority=High", "resolution FIXED.txt"])(
  "a file %s is attached",
  async (name) => {
    expect(await added(name, "text")).toMatchObject({ file_name: name });
  },
);

test("every byte of a file arrives, whatever its length", async () => {
  const run = demo();
  const folder = freshFolder();
  for (const size of [1, 2, 3, 98_303, 98_304, 98_305, 300_000]) {
    const bytes = Buffer.from(Array.from({ length: size }, (_, at) => (at * 31 + (at >> 8)) % 256));
    const id = (await run(`attachment add 12 ${file("x.bin", bytes)}`)).out.trim();
    const back = join(folder, String(size));
    expect(await run(`attachment download ${id} -o ${back}`)).toMatchObject({ code: 0 });
    expect(readFileSync(back).equals(bytes)).toBe(true);
  }
});

test("stdin is attached with -", async () => {
  const run = demo();
  expect(await run("attachment add 12 -", { stdin: DIFF })).toMatchObject({ code: 0, out: "4\n" });
  expect((await run("attachment get 4 --fields file_name,is_patch,size")).out).toBe(`patch.diff\t1\t${DIFF.length}\n`);
  expect(await run("attachment add 12 - -m -", { stdin: "x" })).toMatchObject({ code: 2 });
});

test("of an empty stdin nothing is saved, of a refused one the bytes", async () => {
  const run = demo();
  expect((await run("attachment add 12 -", { stdin: "" })).err).toBe(
    "bt: stdin is empty\nhint: trackers refuse empty attachments\n",
  );
  const { err } = await run("attachment add 12 - --content-type text", { stdin: "x" });
  const kept = /your text is saved in (.*)/.exec(err)?.[1] ?? "";
  expect(readFileSync(kept, "utf8")).toBe("x");
  rmSync(dirname(kept), { recursive: true });
});

test("what cannot be attached is refused before anything is sent", async () => {
  const run = demo();
  const refused = async (line: string) => {
    const { code, err, requests } = await run(`attachment add ${line}`);
    expect(requests.filter(({ method }) => method !== "GET")).toEqual([]);
    return `${code} ${err.split("\n")[0]?.replace(/\/\S+\//g, "")}`;
  };
  const folder = join(freshFolder(), "folder");
  mkdirSync(folder);
  expect(await refused(`12 ${file("empty", "")}`)).toBe("2 bt: empty is empty");
  expect(await refused(`12 ${folder}`)).toBe("12 bt: cannot read folder: illegal operation on a directory");
  expect(await refused(`12 ${join(folder, "none")}`)).toBe("12 bt: cannot read none: no such file or directory");
  expect(await refused(`12 ${file("x", "x")} --flag 'nope?'`)).toBe('2 bt: unknown flag "nope"');
  expect(await refused(`12 ${file("x", "x")} --obsoletes 3`)).toBe("2 bt: attachment 3 is on bug 21, not on bug 12");
  expect(await refused(`12 ${file("x", "x")} --obsoletes 77`)).toContain("5 bt: attachment 77 was not found");
  expect(await refused("99999 x")).toContain("12 bt: cannot read x");
});

test("several files are attached one after the other, the comment with the first", async () => {
  const run = demo();
  const [png, log] = [file("a.png", PNG), file("b.log", "log\n")];
  expect(await run(`attachment add 44 ${png} ${log} -m Both. --obsoletes 77`)).toMatchObject({ code: 5, out: "" });
  expect(await run(`attachment add 44 ${png} ${log} --summary x`)).toMatchObject({ code: 2, out: "" });
  expect(await run(`attachment add 44 ${png} ${log} ${file("empty", "")}`)).toMatchObject({ code: 2, out: "" });
  expect((await run("attachment list 44 --fields id")).out).toBe("");
  expect(await run(`attachment add 44 ${png} ${log} -m Both.`)).toMatchObject({ code: 0, out: "4\n5\n", err: "" });
  expect((await run("attachment list 44 --fields id,file_name")).out).toBe("4\ta.png\n5\tb.log\n");
  const comments = JSON.parse((await run("comment list 44 --json")).out) as JsonObject[];
  expect(comments.map(({ text }) => text).filter((text) => String(text).includes("Both."))).toHaveLength(1);
  expect((await run(`attachment add 44 ${png} ${log} --json`)).out).toBe(
    '[{"id":6,"result":"created"},{"id":7,"result":"created"}]\n',
  );
});

test("of several files, those that were attached before an error are named", async () => {
  const run = demo();
  const { exchange } = freshDemo({
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (count) => new Uint8Array(count),
  });
  let posts = 0;
  const refusing: Exchange = async (request) => {
    if (request.method === "POST" && ++posts === 2)
      return { status: 400, headers: {}, body: '{"error":true,"code":600,"message":"Too big."}' };
    return exchange(request);
  };
  const ran = await run(`attachment add 44 ${file("a.png", PNG)} ${file("b.log", "log")}`, { exchange: refusing });
  expect([ran.code, ran.out, ran.err]).toEqual([
    3,
    "4\n",
    expect.stringMatching(/Too big[\s\S]*already applied: the attachment on bug 44\n/),
  ]);
});

test("a new version marks the one before as obsolete", async () => {
  const run = demo();
  const path = file("x.diff", DIFF);
  expect(await run(`attachment add 21 ${path} --obsoletes 3`)).toMatchObject({ code: 0, out: "4\n" });
  expect((await run("attachment list 21 --fields id,is_obsolete")).out).toBe("3\t1\n4\t0\n");
});

test("an update without changes, of a missing attachment or with an invalid value is refused", async () => {
  const run = demo();
  expect(await run("attachment update 3")).toMatchObject({ code: 2 });
  expect(await run("attachment update 3 77 --obsolete yes")).toMatchObject({ code: 5 });
  expect(await run("attachment update 3 --obsolete maybe")).toMatchObject({ code: 2 });
  expect(await run("attachment update 3 --flag 'nope?'")).toMatchObject({ code: 2 });
  expect((await run("attachment get 3 --fields is_obsolete")).out).toBe("0\n");
});
