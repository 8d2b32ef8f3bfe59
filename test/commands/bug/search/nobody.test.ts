import { expect, test } from "vitest";
import { bt } from "../../../bt.ts";
import { manyBugs } from "../../../tracker/many-bugs.ts";

/** A tracker with a bug that waits for somebody, and the lines that a run answers with. */
function waiting(nobody: string) {
  const { store, exchange, login } = manyBugs(60, 10_000);
  store.run("INSERT INTO users (login, real_name, password_hash) VALUES (?, 'Nobody', '')", [nobody]);
  store.run("UPDATE bugs SET assigned_to_id = (SELECT max(id) FROM users) WHERE id IN (7, 12)");
  return (line: string, names?: readonly string[]) =>
    bt(line, { exchange, login, settings: names === undefined ? {} : { nobody: names } });
}

test("is:unassigned finds the bugs of an account whose name starts with nobody", async () => {
  const ask = waiting("nobody@example.org");
  expect(await ask("bug search is:unassigned --format ids")).toMatchObject({ out: "12\n7\n", err: "" });
  expect((await ask("bug search no:assignee --format ids")).out).toBe("12\n7\n");
  expect((await ask("bug search 'assignee is empty' --format ids")).out).toBe("12\n7\n");
  const { out } = await ask("bug search is:assigned --count");
  expect((await ask("bug search 'assignee is not empty' --count")).out).toBe(out);
  expect((await ask("bug search has:assigned_to --count")).out).toBe(out);
  expect(out).toBe((await ask("bug search -is:unassigned --count")).out);
  expect(Number(out)).toBe(56);
});

test("is:unassigned finds the bugs of the configured accounts", async () => {
  const ask = waiting("pool@example.org");
  const known = await ask("bug search is:unassigned --format ids", ["pool@example.org", "ada@example.org"]);
  expect(known).toMatchObject({ out: expect.stringContaining("12\n7\n"), err: "" });
  const unknown = await ask("bug search is:unassigned", ["pool@example.org", "other@example.org"]);
  expect(unknown).toMatchObject({ code: 2, err: expect.stringContaining('unknown user "other@example.org"') });
});
