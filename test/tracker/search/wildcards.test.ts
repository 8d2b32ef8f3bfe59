import { expect, test } from "vitest";
import { talk } from "../talk.ts";

// What LIKE, GLOB and full text take for patterns are characters like others, wherever a name is looked for.

const NAMES = ["a_b", "axb", "a%b", "a*b", "a\\b"];

test.each(NAMES)("S5 %s matches itself in users, tags, aliases and keywords", async (name) => {
  const here = talk();
  for (const [index, other] of NAMES.entries()) {
    here.store.run("INSERT INTO users (login, real_name) VALUES (?, ?)", [`user${index}@example.org`, `Mr ${other}.`]);
    here.store.run("INSERT INTO comment_tags SELECT min(id), ? FROM comments", [`${other}-tag`]);
    here.store.run("INSERT INTO bug_aliases (bug_id, alias) VALUES (?, ?)", [index + 5, other]);
    here.store.run("INSERT INTO keywords (name, description) VALUES (?, '')", [other]);
    here.store.run("INSERT INTO bug_keywords SELECT ?, id FROM keywords WHERE name = ?", [index + 5, other]);
  }
  const bug = 5 + NAMES.indexOf(name);
  const asked = encodeURIComponent(name);
  const ids = async (query: string) =>
    ((await here.get("admin", `/rest/bug?${query}&include_fields=id`)).body as { bugs: { id: number }[] }).bugs.map(
      ({ id }) => id,
    );
  expect((await here.get("admin", `/rest/user?match=${asked}.`)).body).toMatchObject({
    users: [{ real_name: `Mr ${name}.` }],
  });
  expect(await ids(`alias=${asked}`)).toEqual([bug]);
  expect(await ids(`keywords=${asked}`)).toEqual([bug]);
  expect(await ids(`f1=comment_tag&o1=substring&v1=${asked}`)).toHaveLength(1);
  expect(await ids(`f1=comment_tag&o1=equals&v1=${asked}`)).toEqual([]);
  if (name.includes("%")) return; // a web server in front refuses it in a path
  expect((await here.get("admin", `/rest/bug/comment/tags/${asked}`)).body).toEqual([`${name}-tag`]);
});
