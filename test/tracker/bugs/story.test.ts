import { expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import { BUG, bugOf, talk } from "../talk.ts";

type Change = { readonly field_name: string; readonly removed: string; readonly added: string };
type Entry = { readonly who: string; readonly changes: readonly Change[] };

test("the history shows the life of a bug among four people, from filing to closing", async () => {
  const here = talk();
  const made = await here.post("carol", "/rest/bug", {
    ...BUG,
    description: "It is gone.",
    assigned_to: "carol@example.org",
  });
  const { id } = made.body as { id: number };
  const change = (as: string, body: JsonObject) => here.put(as, `/rest/bug/${id}`, body);
  const states = async () => {
    const { status, resolution, is_open, is_confirmed } = bugOf(await here.get("carol", `/rest/bug/${id}`));
    return [status, resolution, is_open, is_confirmed].join(" ");
  };

  expect(await states()).toBe("UNCONFIRMED  true false");
  expect((await change("carol", { status: "CONFIRMED" })).body, "carol may not confirm").toMatchObject({ code: 123 });
  await change("bob", {
    status: "CONFIRMED",
    priority: "High",
    keywords: { add: ["regression"] },
    assigned_to: "bob@example.org",
  });
  expect(await states()).toBe("CONFIRMED  true true");
  await here.post("carol", `/rest/bug/${id}/comment`, { comment: "Any news?" });
  await change("alice", { flags: [{ name: "needinfo", status: "?", requestee: "carol@example.org" }] });
  await change("carol", { flags: [{ name: "needinfo", status: "X" }], comment: { body: "Since 121." } });
  await change("bob", { status: "RESOLVED", resolution: "FIXED", work_time: 2, comment: { body: "Done." } });
  expect(await states()).toBe("RESOLVED FIXED false true");
  expect((await change("dave", { status: "CONFIRMED" })).body, "dave has no part in it").toMatchObject({ code: 123 });
  await change("carol", { status: "CONFIRMED", comment: { body: "It is gone again." } });
  expect(await states()).toBe("CONFIRMED  true true");
  await change("alice", { product: "Toolkit", component: "Places", version: "2.0", dupe_of: 5 });
  expect(await states()).toBe("RESOLVED DUPLICATE false true");
  await change("admin", { comment: { body: "between us", is_private: true } });

  const [{ history = [] } = {}] = (
    (await here.get("alice", `/rest/bug/${id}/history`)).body as { bugs: { history: Entry[] }[] }
  ).bugs;
  const told = history.map(({ who, changes }) => {
    const each = changes.map(({ field_name, removed, added }) => `${field_name}: ${removed} -> ${added}`).sort();
    return `${who.replace(/@.*/, "")}: ${each.join("; ")}`;
  });
  expect(told).toMatchInlineSnapshot(`
    [
      "bob: assigned_to: alice@example.org -> bob@example.org; is_confirmed: 0 -> 1; keywords:  -> regression; priority: --- -> High; status: UNCONFIRMED -> CONFIRMED",
      "alice: cc:  -> carol@example.org; flagtypes.name:  -> needinfo?(carol@example.org)",
      "carol: flagtypes.name: needinfo?(carol@example.org) -> ",
      "bob: resolution:  -> FIXED; status: CONFIRMED -> RESOLVED; work_time:  -> 2.00",
      "carol: resolution: FIXED -> ; status: RESOLVED -> CONFIRMED",
      "alice: component: General -> Places; product: Firefox -> Toolkit; resolution:  -> DUPLICATE; status: CONFIRMED -> RESOLVED; version: 121 -> 2.0",
    ]
  `);
  const comments = async (as: string) => {
    const { body } = await here.get(as, `/rest/bug/${id}/comment`);
    return (body as { bugs: Record<string, { comments: { count: number; text: string }[] }> }).bugs[id]?.comments.map(
      ({ count, text }) => `${count} ${text.trim()}`,
    );
  };
  expect(await comments("admin")).toMatchInlineSnapshot(`
    [
      "0 It is gone.",
      "1 Any news?",
      "2 Since 121.",
      "3 Done.",
      "4 It is gone again.",
      "5 *** This bug has been marked as a duplicate of bug 5 ***",
      "6 between us",
    ]
  `);
  expect(await comments("carol")).toEqual((await comments("admin"))?.slice(0, -1));
});
