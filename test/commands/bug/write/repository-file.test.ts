import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../src/wire/exchange.ts";
import { type Around, btConnected } from "../../../bt.ts";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const FILE = `# where bugs of this code are filed
product: Lantern
component: library
keywords: [crash, regression]
templates:
  crash: |
    Steps:

    1. Start it
`;

const REST = "-t x --version 3.1 --op-sys Linux --platform PC";

/** A repository with this file, and folders below it. */
function repository(text = FILE, { file = ".bt.yaml", mark = ".git" } = {}) {
  const root = freshFolder();
  for (const folder of [mark, "src/deep", "home/.config/bt/templates"])
    mkdirSync(`${root}/${folder}`, { recursive: true });
  writeFileSync(`${root}/${file}`, text);
  const around = { env: { HOME: `${root}/home` }, cwd: `${root}/src/deep` };
  const create = async (flags: string, given: Partial<Around> = {}) => {
    const ran = await demo()(`bug create ${flags}`, { ...around, ...given });
    const body = ran.requests.find(({ method }) => method === "POST")?.body as JsonObject | undefined;
    return { code: ran.code, body, err: ran.err.replaceAll(root, "~") };
  };
  return { root, around, create };
}

describe("a new bug in a repository with .bt.yaml", () => {
  test("has its product, component and keywords", async () => {
    const { code, body, err } = await repository().create(`${REST} -d Text`);
    expect([code, err]).toEqual([0, ""]);
    expect(body).toMatchObject({ product: "Lantern", component: "Library", keywords: ["crash", "regression"] });
  });

  test("adds its keywords to those of the flags, each once", async () => {
    const { body } = await repository().create(`${REST} -d Text --keywords Regression,perf`);
    expect(body?.["keywords"]).toEqual(["crash", "regression", "perf"]);
  });

  test("takes the values of flags, of a template of the user, and of the settings in that order around it", async () => {
    const { create, around } = repository();
    const settings = { product: "Harbor", component: "API", version: "3.1" };
    const rest = "-t x --op-sys Linux --platform PC -d Text";
    expect((await create(rest, { settings })).body).toMatchObject({ product: "Lantern", component: "Library" });
    writeFileSync(`${around.env.HOME}/.config/bt/templates/mine`, "component: Editor\nkeywords: perf\n");
    expect((await create(`${rest} --template mine`, { settings })).body).toMatchObject({
      ...{ product: "Lantern", component: "Editor", keywords: ["crash", "regression", "perf"] },
    });
    expect((await create(`${rest} -c Editor`, { settings })).body).toMatchObject({ component: "Editor" });
  });

  test("does not have its component in another product", async () => {
    const { create } = repository();
    const settings = { component: "API" };
    const { body } = await create("-p Harbor -t x --version 1.5 --op-sys Linux --platform PC -d Text", { settings });
    expect(body).toMatchObject({ product: "Harbor", component: "API", keywords: ["crash", "regression"] });
  });

  test("may start from one of its texts, which is a description and nothing else", async () => {
    const { create } = repository(FILE.replace("Steps:", "cc: eve@example.org\n    Steps:"));
    const { body } = await create(`${REST} --template crash`);
    expect(body).toMatchObject({ description: "cc: eve@example.org\nSteps:\n\n1. Start it\n" });
    expect(body).not.toHaveProperty("cc");
  });

  test("says so once on a terminal", async () => {
    const { create } = repository();
    const { err } = await create(`${REST} --template crash --dry-run`, { terminal: true });
    expect(err).toContain(
      "bt: product Lantern, component library, keywords crash,regression, template crash from ~/.bt.yaml\n",
    );
    expect((await create(`${REST} -d Text --json`, { terminal: true })).err).toBe("");
  });

  test.each([
    [{ BT_REPO_FILE: "off" }, {}],
    [{}, { repo_file: "off" as const }],
  ])("ignores it with %j %j", async (env, settings) => {
    const { create, around } = repository();
    const { code, err } = await create(`${REST} -d Text`, { env: { ...around.env, ...env }, settings });
    expect([code, err]).toEqual([2, expect.stringContaining("bt: missing required fields: product, component")]);
  });
});

describe("the file", () => {
  test("is the nearest one below the root of the repository", async () => {
    const { root, create } = repository();
    writeFileSync(`${root}/src/.bt.yaml`, "product: Lantern\ncomponent: Editor\n");
    expect((await create(`${REST} -d Text`)).body).toMatchObject({ component: "Editor" });
  });

  test("of a folder above the repository does not count", async () => {
    const { root, create } = repository();
    mkdirSync(`${root}/src/.git`);
    expect((await create(`${REST} -d Text`)).err).toContain("missing required fields: product, component");
  });

  test("counts below the home directory without a repository, and nowhere else", async () => {
    const { create, root } = repository(FILE, { mark: "other" });
    expect((await create(`${REST} -d Text`)).code).toBe(2);
    expect((await create(`${REST} -d Text`, { env: { HOME: root } })).code).toBe(0);
  });

  test("is not read through a link", async () => {
    const { root, create } = repository(FILE, { file: "elsewhere" });
    symlinkSync(`${root}/elsewhere`, `${root}/.bt.yaml`);
    expect((await create(`${REST} -d Text`)).code).toBe(12);
  });

  test.each([
    ["base_url: https://evil.example", "base_url is unknown; valid names: product, component, keywords, templates"],
    ["aliases: {x: y}", "aliases is unknown; valid names: product, component, keywords, templates"],
    ["component: [a]", "component must be a single line of text"],
    ["component:", "component must be a single line of text"],
    ['component: "a\\nb"', "component must be a single line of text"],
    ["keywords: {a: b}", "keywords must be a list, or a single line of text"],
    ["keywords: [[a]]", "keywords[0] must be a single line of text"],
    ["templates: text", "templates must be a mapping"],
    ["templates: {crash: [a]}", "templates.crash must be a string"],
    ["product: Harbor", "Map keys must be unique"],
    ["component: *place", "aliases of YAML are not supported"],
    ["component: !!js a", "Unresolved tag: tag:yaml.org,2002:js"],
    ["component: }", "Unexpected flow-map-end token"],
    ["component: Libary", 'unknown component "Libary" in Lantern'],
    ["keywords: crsh", 'unknown keyword "crsh"'],
  ])("%j is an error with file and line, and nothing is sent", async (line, error) => {
    const { code, body, err } = await repository(`product: &place Lantern\n${line}\n`).create(`${REST} -d Text`);
    expect([code, body]).toEqual([2, undefined]);
    expect(err).toContain(`bt: ~/.bt.yaml:2: ${error}`);
    expect(err).toContain("BT_REPO_FILE=off");
  });

  test("that is no mapping is told the names that it may have", async () => {
    const { err } = await repository("- Lantern\n").create(`${REST} -d Text`);
    expect(err).toContain(
      "bt: ~/.bt.yaml:1: the file must be a mapping; valid names: product, component, keywords, templates\n",
    );
  });

  test("a mistyped product is named before the component that lacks it", async () => {
    const { code, err } = await repository("prodct: Lantern\ncomponent: Editor\n").create(`${REST} -d Text`);
    expect([code, err]).toEqual([2, expect.stringContaining("bt: ~/.bt.yaml:1: prodct is unknown; valid names")]);
  });

  test("with an unknown key is read, with a warning", async () => {
    const { around, root } = repository("product: Lantern\nlabels: [a]\n");
    const warning = `note: ${root}/.bt.yaml:2: labels is unknown; valid names: product, component, keywords, templates`;
    const env = { ...around.env, BT_BASE_URL: "demo:", XDG_CACHE_HOME: `${root}/cache` };
    const listed = await btConnected("config list", { ...around, env });
    expect(listed).toMatchObject({
      code: 0,
      out: expect.stringContaining("product\tLantern"),
      err: expect.stringContaining(`${warning}\n`),
    });
    const searched = await demo()("bug search", { ...around, terminal: true });
    expect(searched).toMatchObject({ code: 0, err: expect.stringContaining(warning) });
    expect(searched.err).toContain("open bugs of Lantern");
    const status = await btConnected("auth status", { ...around, env });
    expect(status.out + status.err).toContain(warning.slice("note: ".length));
  });

  test.each(["", "# nothing yet\n"])("may be empty: %j", async (text) => {
    expect((await repository(text).create(`${REST} -p Lantern -c Editor -d Text`)).code).toBe(0);
  });

  test("of a stranger cannot take the memory or the time of bt", async () => {
    const deep = `product: ${"[".repeat(60_000)}`;
    expect(await repository(deep).create(REST)).toMatchObject({ code: 2 });
    expect(await repository(`product: ${"a".repeat(70_000)}`).create(REST)).toMatchObject({ code: 12 });
  });
});

test("a search without criteria is for the product of the repository", async () => {
  const ran = await demo()("bug search", { ...repository().around, terminal: true });
  expect(ran.err).toContain("open bugs of Lantern (");
});

test("config list and auth status show what the file sets", async () => {
  const { root, around } = repository();
  const list = await btConnected("config list --json", around);
  expect(JSON.parse(list.out)).toEqual([
    { name: "product", value: "Lantern", profile: null, file: `${root}/.bt.yaml` },
    { name: "component", value: "library", profile: null, file: `${root}/.bt.yaml` },
    { name: "keywords", value: ["crash", "regression"], profile: null, file: `${root}/.bt.yaml` },
    { name: "templates", value: ["crash"], profile: null, file: `${root}/.bt.yaml` },
  ]);
  expect((await demo()("auth status", around)).out).toContain(` defaults of new bugs in ${root}/.bt.yaml\n`);
  const broken = repository("prodct: x\n");
  expect((await demo()("auth status", broken.around)).out).toMatch(/\nattention +.*prodct/);
});
