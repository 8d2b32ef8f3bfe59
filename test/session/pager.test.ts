import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { commandIo } from "../../src/cli/output.ts";
import { createRedactor } from "../../src/secret.ts";
import { pagedOutput } from "../../src/session/pager.ts";
import { ioFor } from "../bt.ts";

const LONG = Array.from({ length: 40 }, (_, at) => `line ${at}\n`).join("");
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bt-pager-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function paged(pager: string, text: string, env: Readonly<Record<string, string>> = {}) {
  const said = { out: "", err: "" };
  const io = ioFor({ terminal: true, rows: 24, env: { PATH: process.env["PATH"] ?? "", ...env } }, said);
  const out = pagedOutput(io, pager);
  for (const part of text.match(/.{1,50}/gs) ?? []) await out.write(part);
  await out.end();
  return said.out;
}

function seen() {
  return readFileSync(join(folder, "seen"), "utf8");
}

test("23 of 24 lines leave one for the prompt, 24 are paged", async () => {
  expect(await paged(`cat > ${folder}/seen`, "line\n".repeat(23))).toBe("line\n".repeat(23));
  expect(await paged(`cat > ${folder}/seen`, "line\n".repeat(24))).toBe("");
});

test("longer output goes through the pager, completely", async () => {
  expect(await paged(`cat > ${folder}/seen`, LONG)).toBe("");
  expect(seen()).toBe(LONG);
});

test("leaving the pager early is no error", async () => {
  expect(await paged("head -1 > /dev/null", LONG)).toBe("");
});

test("the environment of the pager has no key and no path in the current folder", async () => {
  await paged(`echo "$PATH $BT_API_KEY" > ${folder}/seen`, LONG, {
    BT_API_KEY: "secret",
    PATH: `.:${process.env["PATH"]}:bin`,
  });
  expect(seen()).not.toMatch(/secret|^\.:|:bin /);
});

test("the pager gets no key", async () => {
  const secrets = createRedactor();
  secrets.learn("k3yOfAlice0123456789");
  const io = commandIo(ioFor({ terminal: true, rows: 24, env: { PATH: process.env["PATH"] ?? "" } }), secrets, []);
  const out = pagedOutput(io, `cat > ${folder}/seen`);
  await out.write(`k3yOfAlice0123456789 one\n${LONG}`);
  await out.write("k3yOfAlice0123456789 two\n");
  await out.end();
  expect(seen()).toBe(`*** one\n${LONG}*** two\n`);
});
