import { writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { JsonObject } from "../../../../src/wire/exchange.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const CRASH = `product: Lantern
Component: library
version: 3.1
op_sys: Linux
platform: PC
keywords: crash, regression
priority:
cc: @me
cf_build: 3.1.0-7

Steps:

1. Start it
`;

/** Files a bug with a template of this text by these flags; the body that was sent, else the error. */
async function create(text: string, flags = "") {
  const folder = freshFolder();
  writeFileSync(`${folder}/crash`, text);
  const ran = await demo()(`bug create --template ${folder}/crash -t x ${flags}`);
  const body = ran.requests.find(({ method }) => method === "POST")?.body as JsonObject | undefined;
  return { ...ran, body, err: ran.err.replaceAll(folder, "~") };
}

test("a template has the fields above and the description below", async () => {
  const { code, body } = await create(CRASH);
  expect(code).toBe(0);
  expect(body).toEqual({
    ...{ product: "Lantern", component: "Library", version: "3.1", op_sys: "Linux", platform: "PC", summary: "x" },
    ...{ keywords: ["crash", "regression"], cc: ["tomas@example.org"], cf_build: "3.1.0-7" },
    description: "Steps:\n\n1. Start it",
  });
  expect((await create(`\ufeff${CRASH.replaceAll("\n", "\r\n")}`)).body).toEqual(body);
});

test("flags override a template, even what is invalid in it", async () => {
  const flags = "--component Editor --keywords crash -d Mine --field 'Build=9'";
  const { body } = await create(CRASH.replace("library", "nonsense"), flags);
  expect(body).toMatchObject({ component: "Editor", keywords: ["crash"], description: "Mine", cf_build: "9" });
});

test("a template overrides the defaults of the configuration", async () => {
  const file = `${freshFolder()}/mine`;
  writeFileSync(file, CRASH);
  const settings = { product: "Harbor", version: "1.5", component: "API" };
  const ran = await demo()(`bug create --template ${file} -t x`, { settings });
  expect(ran.requests.find(({ method }) => method === "POST")?.body).toMatchObject({
    ...{ product: "Lantern", component: "Library", version: "3.1" },
  });
});

test("a value is checked as that of a flag", async () => {
  const { code, body, err } = await create(CRASH.replace("library", "Libary"));
  expect([code, body, err]).toEqual([2, undefined, expect.stringContaining('unknown component "Libary" in Lantern')]);
});

test.each([
  ["compnent: Library", '~/crash:2: invalid line "compnent: Library"\n'],
  ["creator: ada@example.org", "creator is not a custom field"],
  ["description: Text", '~/crash:2: invalid line "description: Text"\n'],
  ["a line of text", '~/crash:2: invalid line "a line of text"\n'],
  ["product: Harbor", '~/crash:2: invalid line "product: Harbor"\n'],
])("%j is an error, and nothing is sent", async (line, error) => {
  const ran = await create(`product: Lantern\n${line}\nversion: 3.1\n\nText`);
  expect([ran.code, ran.body]).toEqual([2, undefined]);
  expect(ran.err).toContain(error);
});
