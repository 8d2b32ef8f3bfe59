import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { bt, btConnected } from "../../bt.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { freshFolder } from "../../fresh-folder.ts";
import { homeFolders, putMirror } from "../../mirrored.ts";
import { demo } from "../demo.ts";

const PATCH = "0001-read-catalogues-of-two-versions-ago.patch";
const RUNTIME = {
  now: () => new Date("2026-11-20T12:00:00Z"),
  random: (count: number) => new Uint8Array(count),
};
const terminal = { terminal: true, columns: 100 };

test("a terminal shows a table without empty columns, and one attachment as a card", async () => {
  const run = demo();
  expect((await run("attachment list 21", terminal)).out).toMatchInlineSnapshot(`
    "ID  FILE                             SUMMARY                          TYPE        SIZE  WHO  WHEN
     3  0001-read-catalogues-of-two-ve…  Read catalogues of two version…  patch  494 bytes  ada  2mo ago
    "
  `);
  expect((await run("attachment get 3", terminal)).out).toMatchInlineSnapshot(`
    "attachment 3  Read catalogues of two versions ago

    Bug      #21
    File     0001-read-catalogues-of-two-versions-ago.patch
    Type     patch
    Size     494 bytes
    Creator  ada@example.org
             2 months ago · 2026-08-22 12:00 UTC
    "
  `);
  expect(await run("attachment list 12", terminal)).toMatchObject({ code: 0, err: "note: no attachments\n" });
});

test("missing ids are named, a private attachment is a matter of permissions", async () => {
  const run = demo();
  expect(await run("attachment get 77")).toMatchObject({ code: 5, out: "" });
  expect(await run("attachment get 1")).toMatchObject({ code: 4, out: "" });
  const some = await run("attachment get 3 1 77 --fields id");
  expect(some).toMatchObject({ code: 10, out: "3\n" });
  expect(some.err).toMatch(/1: .*not authorized[\s\S]*77: not found, or not visible to you/);
  expect(await run("attachment get x")).toMatchObject({ code: 2 });
});

test("files have their own names in a folder, and nothing is left of what failed", async () => {
  const folder = freshFolder();
  const run = demo();
  const done = await run(`attachment download 2 3 77 -o ${folder}`);
  expect(done).toMatchObject({ code: 10, out: `${join(folder, "install.log")}\n${join(folder, PATCH)}\n` });
  expect(done.err).toContain("77: not found, or not visible to you");
  expect(readdirSync(folder).sort()).toEqual([PATCH, "install.log"]);
  expect(readFileSync(join(folder, PATCH), "utf8")).toBe((await run("attachment download 3")).out);
});

test("no file is overwritten without --force", async () => {
  const file = join(freshFolder(), "x");
  const run = demo();
  writeFileSync(file, "mine");
  expect(await run(`attachment download 3 -o ${file}`)).toMatchObject({ code: 13, out: "" });
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(await run(`attachment download 3 -o ${file} --force`)).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toMatch(/^From /);
  const device = join(freshFolder(), "device");
  symlinkSync("/dev/null", device);
  expect(await run(`attachment download 3 -o ${device} --force`)).toMatchObject({ code: 13, out: "" });
  expect(lstatSync(device).isSymbolicLink()).toBe(true);
});

test("several attachments need a folder that exists", async () => {
  const file = join(freshFolder(), "x");
  expect(await demo()(`attachment download 2 3 -o ${file}`)).toMatchObject({ code: 2 });
  expect(existsSync(file)).toBe(false);
});

/** A tracker with attachments of these names and bytes, that says of each which size it has. */
function tracker(
  files: readonly { readonly file_name: string; readonly data: Buffer | null; readonly size?: number }[],
) {
  return async ({ path, query }: { path: string; query: readonly (readonly [string, string])[] }) => {
    const ids = [path.split("/").at(-1), ...query.filter(([name]) => name === "attachment_ids").map(([, id]) => id)];
    const isData = query.some(([name]) => name === "include_fields");
    const attachments = files.map(({ data, size = data?.length, ...rest }, at) => {
      const told = isData ? { data: data === null ? null : data.toString("base64") } : { ...rest, size, bug_id: 1 };
      return { id: at + 1, ...told };
    });
    if (path === "/rest/bug/1/attachment")
      return { status: 200, headers: {}, body: JSON.stringify({ bugs: { 1: attachments }, attachments: {} }) };
    const found = attachments.filter(({ id }) => ids.includes(String(id))).map((one) => [one.id, one]);
    return { status: 200, headers: {}, body: JSON.stringify({ bugs: {}, attachments: Object.fromEntries(found) }) };
  };
}

test("binary and empty files are unchanged, under cleaned names", async () => {
  const folder = freshFolder();
  const bytes = Buffer.from([0, 255, 13, 10, 128, 7]);
  const exchange = tracker([
    { file_name: "../../evil\u001b.bin", data: bytes },
    { file_name: "empty", data: Buffer.alloc(0) },
  ]);
  expect(await bt(`attachment download 1 2 -o ${folder}`, { exchange })).toMatchObject({ code: 0 });
  expect(readFileSync(join(folder, "evil.bin"))).toEqual(bytes);
  expect(readFileSync(join(folder, "empty"))).toHaveLength(0);
});

test("content that was deleted is reported as that, from the tracker and from a mirror", async () => {
  const file = { id: 1, bug_id: 1, file_name: "gone.txt", content_type: "text/plain", size: null };
  const exchange = async ({ query }: { query: readonly (readonly [string, string])[] }) => {
    const isData = query.some(([name]) => name === "include_fields");
    const told = isData ? { id: 1, data: null } : file;
    return { status: 200, headers: {}, body: JSON.stringify({ bugs: {}, attachments: { 1: told } }) };
  };
  const told = { code: 5, out: "", err: expect.stringContaining("the content of attachment 1 was deleted") };
  expect(await bt("attachment download 1", { exchange })).toMatchObject(told);
  const { exchange: own, close, store } = freshDemo(RUNTIME);
  onTestFinished(close);
  store.run("UPDATE attachments SET data = '', size = 0 WHERE id = 3");
  const home = freshFolder();
  await putMirror(own, { home, name: "work", login: null, now: RUNTIME.now, facts: { attachments: "all" } });
  const env = { ...homeFolders(home), BT_BASE_URL: "mirror:work" };
  expect(await btConnected("attachment download 3", { env })).toMatchObject({
    ...{ code: 5, out: "" },
    err: expect.stringContaining("the content of attachment 3 was deleted"),
  });
});

test("an incomplete file is neither written nor printed", async () => {
  const folder = freshFolder();
  const exchange = tracker([{ file_name: "x", data: Buffer.from("half"), size: 8 }]);
  expect(await bt("attachment download 1", { exchange })).toMatchObject({ code: 7, out: "" });
  const run = await bt(`attachment download 1 -o ${folder}`, { exchange });
  expect(run).toMatchObject({ code: 7, out: "" });
  expect(run.err).toContain("attachment 1 is incomplete: received 4 of 8 bytes");
  expect(readdirSync(folder)).toEqual([]);
});

test("two attachments of one name are both kept, under their ids, on whatever file system", async () => {
  const folder = freshFolder();
  const exchange = tracker([
    { file_name: "a.txt", data: Buffer.from("one") },
    { file_name: "b/A.TXT", data: Buffer.from("two") },
    { file_name: "2-a.txt", data: Buffer.from("three") },
    { file_name: "b.txt", data: Buffer.from("four") },
  ]);
  expect(await bt(`attachment download 1 2 3 4 -o ${folder}`, { exchange })).toMatchObject({ code: 0 });
  const written = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name), "utf8")]);
  expect(Object.fromEntries(written)).toEqual({
    ...{ "1-a.txt": "one", "2-A.TXT": "two", "3-2-a.txt": "three", "4-b.txt": "four" },
  });
});

test("--bug saves all attachments of bugs in a folder that it creates, and overwrites nothing", async () => {
  const run = demo();
  const folder = join(freshFolder(), "bugs", "21");
  const [log, patch] = [join(folder, "install.log"), join(folder, PATCH)];
  const done = await run(`attachment download --bug 16,#21 -o ${folder}`);
  expect(done).toMatchObject({ code: 0, out: `${log}\n${patch}\n`, err: "" });
  expect(readFileSync(patch, "utf8")).toBe((await run("attachment download 3")).out);
  writeFileSync(patch, "mine");
  expect(await run(`attachment download --bug 21 -o ${folder}`)).toMatchObject({ code: 13, out: "" });
  expect(readFileSync(patch, "utf8")).toBe("mine");
  expect(await run("attachment download --bug 21 -o -")).toMatchObject({
    out: (await run("attachment download 3")).out,
  });
  expect(await run(`attachment download --bug 21 -o ${log}`)).toMatchObject({
    ...{ code: 12, out: "", err: expect.stringContaining(`cannot write ${log}: file already exists`) },
  });
});

test("--bug names each bug and attachment that failed, and says that there are none", async () => {
  const run = demo();
  const folder = join(freshFolder(), "new");
  expect(await run(`attachment download --bug 12 -o ${folder}`)).toMatchObject({
    ...{ code: 1, out: "", err: "bt: no attachments\n" },
  });
  expect(await run(`attachment download --bug 99999 -o ${folder}`)).toMatchObject({ code: 5, out: "" });
  expect(existsSync(folder)).toBe(false);
  const some = await run(`attachment download --bug 99999 --bug 21 -o ${folder}`);
  expect(some).toMatchObject({ code: 10, out: `${join(folder, PATCH)}\n` });
  expect(some.err).toContain("bug 99999: Bug #99999 does not exist.");
  expect(await run("attachment download")).toMatchObject({ code: 2 });
  expect(await run("attachment download 3 --bug 21")).toMatchObject({ code: 2 });
});

test("a folder that cannot be written to is told", async () => {
  const file = join(freshFolder(), "file");
  mkdirSync(file);
  const run = await demo()(`attachment download 3 -o ${join(file, "no", "such", "x")}`);
  expect(run).toMatchObject({ code: 12, out: "" });
  expect(run.err).toContain("no such file or directory");
});

test("an attachment whose flags a tracker gives as null has none", async () => {
  const attachment = { id: 3, bug_id: 21, file_name: "a.txt", flags: null };
  const body = JSON.stringify({ bugs: {}, attachments: { 3: attachment } });
  const exchange = async () => ({ status: 200, headers: { "content-type": "application/json" }, body });
  for (const format of ["table", "tsv"]) {
    expect(await bt(`attachment get 3 --format ${format}`, { exchange })).toMatchObject({ code: 0, err: "" });
  }
});
