import { expect, test } from "vitest";
import { btConnected } from "../../bt.ts";
import { machine } from "../../config/machine.ts";

test("a configuration is created, read and cleared", async () => {
  const { home } = machine();
  const config = (words: string) => btConnected(`config ${words}`, { env: { HOME: home } });
  const file = `${home}/.config/bt/config.json\n`;
  expect(await config("list")).toMatchObject({ code: 0, out: "", err: file });
  expect((await config("set base_url demo:")).code).toBe(0);
  expect((await config("set fields id,summary -P work")).code).toBe(0);
  expect((await config("list")).out).toBe("base_url\tdemo:\t\nfields\tid,summary\twork\n");
  expect((await config("list --json --fields name,value")).out).toBe(
    '[{"name":"base_url","value":"demo:"},{"name":"fields","value":["id","summary"]}]\n',
  );
  expect((await config("get fields --profile work")).out).toBe("id,summary\n");
  expect((await config("unset fields --profile work")).code).toBe(0);
  expect(await config("get fields")).toMatchObject({ code: 1, out: "", err: expect.stringContaining("is not set") });
  expect((await btConnected("bug get 1 --fields id", { env: { HOME: home } })).out).toBe("1\n");
});

test("names are read in any letter case, and a profile has global settings, too", async () => {
  const { home } = machine();
  const config = (words: string) => btConnected(`config ${words}`, { env: { HOME: home } });
  for (const line of ["set Limit 50", "set base-url https://bugs.example.org/ -P work", "set allow_http yes -P work"])
    expect((await config(line)).code).toBe(0);
  expect((await config("get LIMIT -P work")).out).toBe("50\n");
  expect((await config("unset allow_http nowhere -P work")).code).toBe(2); // changes nothing
  expect((await config("list -P work")).out).toBe(
    "base_url\thttps://bugs.example.org/\twork\nallow_http\ttrue\twork\n",
  );
  expect((await config("unset base_url allow_http -P work")).code).toBe(0);
  expect((await config("unset base_url -P work")).err).toContain('unknown profile "work"');
});

test.each([
  ["prodct x", 'unknown setting "prodct"\nhint: did you mean product?'],
  ["__proto__ x", 'unknown setting "__proto__"'],
  ["limit many", 'limit must be an integer, not "many"'],
  ["timeout 1.5", 'timeout must be an integer, 1 or more, not "1.5"'],
  ["max_size 0", 'max_size must be an integer, 1 or more, not "0"'],
  ["color blue", 'color must be one of auto, always, never, not "blue"'],
  ["allow_http maybe", 'allow_http must be yes or no, not "maybe"'],
  ["allow_http constructor", 'allow_http must be yes or no, not "constructor"'],
  ["fields id,,summary", 'fields must be names separated by commas, not "id,,summary"'],
  ["base_url bugs", '"bugs" (from bt config set base_url) is not a tracker address'],
  ["base_url https://me:pass@a.test", "the address from bt config set base_url has a login, a query or a fragment"],
  ["profile nowhere", 'unknown profile "nowhere"'],
  ["profile a -P b", "profile cannot be set in a profile"],
])("bt config set %s is refused, and nothing is written", async (words, message) => {
  const { home } = machine();
  const ran = await btConnected(`config set ${words}`, { env: { HOME: home } });
  expect(ran).toMatchObject({ code: 2, out: "", err: expect.stringContaining(`bt: ${message}`) });
  expect((await btConnected("config list", { env: { HOME: home } })).out).toBe("");
});
