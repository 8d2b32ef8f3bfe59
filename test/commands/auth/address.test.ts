import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { fullAddress } from "../../../src/commands/auth/login.ts";
import { startServer } from "../../../src/tracker/server/server.ts";
import { btConnected } from "../../bt.ts";
import { machine } from "../../config/machine.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { addApiKey } from "../../servers/api-key.ts";
import { answer, faultServer } from "../../servers/fault-server.ts";

const OTHER_KEY = "mei".padEnd(40, "k");
const tracker = { url: "", key: "", host: "", close: async () => undefined as unknown };

beforeAll(async () => {
  const random = (count: number) => Uint8Array.from({ length: count }, (_, at) => (at * 37 + 11) % 256);
  const opened = freshDemo({ now: () => new Date("2026-11-20T12:00:00Z"), random });
  const served = await startServer({ tracker: opened.tracker, port: 0 });
  Object.assign(tracker, { url: served.url, key: opened.addFirstKey()?.key, host: new URL(served.url).host });
  addApiKey(opened.store, "mei@example.org", OTHER_KEY);
  tracker.close = async () => {
    await served.close();
    opened.close();
  };
});
afterAll(() => tracker.close());

describe("an address is completed", () => {
  test.each([
    ["bugs.example.org", "https://bugs.example.org"],
    ["bugs.example.org:8443/bugzilla/", "https://bugs.example.org:8443/bugzilla"],
    ["https://bugs.example.org/bugs/show_bug.cgi?id=44#c3", "https://bugs.example.org/bugs"],
    ["http://bugs.example.org/index.cgi", "http://bugs.example.org"],
    ["https://bugs.example.org/rest/bug/12", "https://bugs.example.org"],
    ["https://bugs.example.org/rest.cgi", "https://bugs.example.org/rest.cgi"],
    ["https://bugzilla.mozilla.org/1234", "https://bugzilla.mozilla.org"],
    ["https://bugs.example.org/tracker2", "https://bugs.example.org/tracker2"],
    ["localhost:8090", "http://localhost:8090"],
    ["127.0.0.1:8090/", "http://127.0.0.1:8090"],
    ["demo:", "demo:"],
  ])("%s", (typed, address) => {
    expect(fullAddress(typed)).toBe(address);
  });

  test.each(["", "  ", "two words", "https://", "ftp://bugs.example.org"])("%j is refused", (typed) => {
    expect(() => fullAddress(typed)).toThrow(/ is not a tracker address$/);
  });

  test.each(["https://me:secret@bugs.example.org", "https://me:secret@bugs.example.org:99999", "me:secret@host"])(
    "%j is refused without its login",
    (typed) => {
      expect(() => fullAddress(typed)).toThrow(/^[^@]* has a login, a query or a fragment$/);
    },
  );
});

const login = (line: string, home: string, more: Parameters<typeof btConnected>[1] = {}) =>
  btConnected(`auth login ${line}`, {
    ...(more.terminal ? {} : { stdin: `${tracker.key}\n` }),
    ...more,
    env: { HOME: home, ...more.env },
  });

const settingsIn = (home: string) => JSON.parse(readFileSync(`${home}/.config/bt/config.json`, "utf8"));

test("the first tracker becomes the default one, and a second one does not", async () => {
  const { home } = machine();
  const { code, err } = await login(`${tracker.host}/show_bug.cgi?id=3 --api-key-file -`, home);
  expect([code, err]).toEqual([0, expect.stringContaining(`${tracker.url} is now the default tracker\n`)]);
  expect(settingsIn(home).base_url).toBe(tracker.url);
  expect((await btConnected("auth status", { env: { HOME: home } })).code).toBe(0);
  expect((await login(`${tracker.url} --api-key-file -`, home)).err).not.toContain("default");
});

test("another default stays, and the command that changes it is named", async () => {
  const { home } = machine();
  await btConnected("config set base_url https://bugs.example.org", { env: { HOME: home } });
  const { err } = await login(`${tracker.url} --api-key-file -`, home);
  expect(err).toContain(`to make it the default tracker: bt config set base_url ${tracker.url}\n`);
  expect(settingsIn(home).base_url).toBe("https://bugs.example.org");
});

test("the login of another user is replaced", async () => {
  const { home } = machine();
  const env = { HOME: home };
  await login(`${tracker.url} --profile work --api-key-file -`, home);
  await btConnected(`auth login ${tracker.url} --api-key-file -`, { env, stdin: OTHER_KEY });
  expect((await btConnected("auth status --fields user", { env })).out).toBe("mei@example.org\n");
});

test("a login with a profile makes its address that of the profile, and the other settings stay", async () => {
  const { home } = machine();
  const first = await login(`${tracker.url} --profile work --api-key-file -`, home);
  expect(first.err).toContain(`${tracker.url} is the tracker of the profile work, the default one\n`);
  await btConnected("config set product Lantern --profile work", { env: { HOME: home } });
  await login(`${tracker.host}/ --profile work --api-key-file -`, home);
  expect(settingsIn(home)).toMatchObject({
    profile: "work",
    profiles: { work: { base_url: tracker.url, product: "Lantern" } },
  });
  expect((await btConnected("auth status -P work", { env: { HOME: home } })).code).toBe(0);
});

test("a terminal shows the page on which keys are created", async () => {
  const { url, close } = await faultServer((socket) => void socket.write(answer('{"bugs":[]}')));
  const asked = await login(url, machine().home, { terminal: true, answers: ["wrong"] });
  expect(asked.err).toContain(`create an API key at ${url}/userprefs.cgi?tab=apikey\n`);
  await close();
});

test("a terminal prompts for the address and says where keys come from", async () => {
  const { home } = machine();
  const at = (...answers: string[]) => login("", home, { terminal: true, columns: 160, answers });
  expect((await at("not an address")).err).toContain('"not an address" (from the argument) is not a tracker address\n');
  const asked = await at(tracker.host, tracker.key);
  expect(asked.code).toBe(0);
  expect(asked.err).toContain("bt admin key LOGIN creates others\n"); // it has no pages
  expect(settingsIn(home).base_url).toBe(tracker.url);
});

test("without a terminal the address has to be given, once", async () => {
  const { home } = machine();
  expect(await login("", home)).toMatchObject({ code: 2, err: expect.stringContaining("bt auth login ADDRESS") });
  expect((await login("--profile new", home)).err).toContain("bt auth login ADDRESS");
  expect((await login(`${tracker.url} --base-url ${tracker.url}`, home)).err).toContain("the address is given twice");
});

test("where no tracker responds, no key is prompted for and nothing is stored", async () => {
  const { home } = machine();
  const page = await faultServer((socket) =>
    socket.write(answer("<html>Welcome</html>", { headers: { "content-type": "text/html" } })),
  );
  const { code, err } = await login(page.url, home, { terminal: true, answers: [] });
  await page.close();
  expect([code, err]).toEqual([7, expect.stringContaining(`no tracker answers at ${page.url}\n`)]);
  expect(() => settingsIn(home)).toThrow("ENOENT");
});
