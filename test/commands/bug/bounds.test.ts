import { expect, test } from "vitest";
import type { Exchange } from "../../../src/wire/exchange.ts";
import { asked, bt } from "../../bt.ts";

const empty: Exchange = async () => ({ status: 200, headers: {}, body: '{"bugs":[]}' });

test("a search without criteria is rejected before any request", async () => {
  const ran = await bt("bug search", { exchange: empty });
  expect([ran.code, asked(ran)]).toEqual([2, []]);
  expect(ran.err).toMatchInlineSnapshot(`
    "bt: a search requires a criterion or --all
    hint: bt bug search --status @open, --limit 20 for the newest bugs, or --all for every bug
    "
  `);
});

test("a limit bounds it, and the search is the only request", async () => {
  const [request = "", ...others] = asked(await bt("bug search --limit 20", { exchange: empty }));
  expect(others).toEqual([]);
  expect(request).toMatch(
    /^GET \/rest\/bug\?f1=bug_id&o1=greaterthan&v1=0&include_fields=id,.*&order=bug_id DESC&limit=20$/,
  );
});
