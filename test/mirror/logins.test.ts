import { rmSync } from "node:fs";
import { expect, test } from "vitest";
import { btConnected } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";
import { homeFolders } from "../mirrored.ts";
import { addApiKey } from "../servers/api-key.ts";
import { demoServer } from "../servers/demo-server.ts";

const MEI = "mei@example.org";
const LUCIA = "lucia@example.org";

/** A demo whose bug 44 only Mei sees, and a machine whose logins are in BT_API_KEY. */
async function twoLogins() {
  const server = await demoServer();
  server.store.exec(`
    INSERT INTO groups (name, description) VALUES ('secret', '');
    INSERT INTO group_members (group_id, user_id, kind)
      SELECT groups.id, users.id, 'member' FROM groups, users WHERE groups.name = 'secret' AND login = '${MEI}';
    INSERT INTO bug_groups (bug_id, group_id) SELECT 44, id FROM groups WHERE name = 'secret';`);
  const home = freshFolder();
  const run = (login: string, line: string) =>
    btConnected(line, {
      env: { ...homeFolders(home), BT_BASE_URL: server.url, BT_API_KEY: addApiKey(server.store, login) },
    });
  return { home, server, run };
}

test("--offline takes the mirror of the login that the tracker told for the key", async () => {
  const { home, server, run } = await twoLogins();
  for (const login of [MEI, LUCIA]) await run(login, `mirror create ${login.split("@")[0]}`);
  const before = server.requests.length;
  expect(await run(MEI, "bug get 44 --offline --format ids")).toMatchObject({ code: 0, out: "44\n" });
  expect(await run(LUCIA, "bug get 44 --offline --format ids")).toMatchObject({ code: 5 });
  expect(server.requests.length).toBe(before);
  rmSync(`${home}/cache`, { recursive: true });
  expect((await run(MEI, "bug get 44 --offline")).err).toContain(`mirror:lucia (${LUCIA}) or mirror:mei (${MEI})`);
  expect((await run(MEI, "mirror sync mei")).code).toBe(0);
  expect((await run(MEI, "bug get 44 --offline")).code).toBe(0);
});

test("a key whose login has no mirror gets none of another login", async () => {
  const { run } = await twoLogins();
  await run(LUCIA, "mirror create lucia");
  await run(MEI, "todo");
  expect(await run(MEI, "bug search -a @me --offline")).toMatchObject({
    ...{ code: 13, out: "" },
    err: expect.stringContaining(`bt: the mirror lucia is as seen by ${LUCIA}, and your API key is of ${MEI}\n`),
  });
  expect(await run(MEI, "bug get 44 --offline")).toMatchObject({ code: 13, out: "" });
  const ofLucia = await run(MEI, "bug search -a @me --offline --as-mirror-owner --count");
  expect(ofLucia).toMatchObject({ code: 0, err: expect.stringContaining(`as seen by ${LUCIA}\n`) });
  expect(ofLucia.out).toBe((await run(LUCIA, "bug search -a @me --count")).out);
});

test("bugs that were read before or offline are no news offline", async () => {
  const { run } = await twoLogins();
  await run(MEI, "mirror create mei");
  await run(MEI, "bug get 1");
  const changed = async () => {
    const { out } = await run(MEI, "todo --json --offline");
    return (JSON.parse(out).changed as readonly { readonly id: number }[]).map(({ id }) => id);
  };
  const [first, second, ...others] = await changed();
  await run(MEI, `bug get ${first}`);
  await run(MEI, `bug get ${second} --offline`);
  expect(await changed()).toEqual(others);
});
