import { expect, test } from "vitest";
import { PASSWORD } from "./state.ts";
import { type Heard, talk } from "./talk.ts";

test.each([
  ["^(a+)+$", 0],
  ["^(a|aa)+$", 0],
  ["(.*a){20}", 5000],
])(
  "S6 the pattern %s takes less than 100 ms for a group and a login over 5,000 users",
  async (...[pattern, members]) => {
    const here = talk();
    here.store.transaction("write", () => {
      for (let number = 0; number < 5000; number += 1) {
        here.store.run("INSERT INTO users (login) VALUES (?)", [`${"a".repeat(40)}${number}`]);
      }
    });
    const spent = { group: [] as number[], login: [] as number[] };
    for (let round = 0; round < 3; round += 1) {
      await here.put("admin", "/rest/group/18", { user_regexp: "^nobody$" });
      here.store.exec("DELETE FROM login_tokens"); // the chance of these conversations is always the same
      spent.group.push(await time(() => here.put("admin", "/rest/group/18", { user_regexp: pattern })));
      spent.login.push(
        await time(() => here.get("anonymous", `/rest/login?login=alice@example.org&password=${PASSWORD}`)),
      );
    }
    const quickest = Object.values(spent).map((times) => Math.min(...times)); // a backtracking engine needs hours
    expect(quickest.filter((ms) => ms > 100)).toEqual([]);
    const count = "SELECT count(*) AS n FROM group_members JOIN users ON users.id = user_id WHERE group_id = 18";
    expect(here.store.get(`${count} AND given_by = 'regexp' AND login NOT LIKE '%@%'`)).toEqual({ n: members });
  },
);

/** Milliseconds of computing; what else the machine does does not count. */
async function time(request: () => Promise<Heard>): Promise<number> {
  const before = process.cpuUsage();
  expect((await request()).status).toBeLessThan(300);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
