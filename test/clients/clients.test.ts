import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { words } from "../bt.ts";
import { isInstalled, servedTracker } from "./served.ts";

let tracker: Awaited<ReturnType<typeof servedTracker>>;
beforeAll(async () => {
  tracker = await servedTracker();
});
afterAll(() => tracker.close());

/** The bug as `curl` would see it, so that no client is believed about itself. */
async function bug(id: string) {
  const { bugs } = await ask<{ readonly bugs: readonly object[] }>(`/rest/bug/${id}`);
  const said = await ask<{ readonly bugs: Readonly<Record<string, { readonly comments: readonly Said[] }>> }>(
    `/rest/bug/${id}/comment`,
  );
  return { ...bugs[0], texts: said.bugs[id]?.comments.map(({ text }) => text) };
}

type Said = { readonly text: string };

async function ask<Answer>(path: string): Promise<Answer> {
  const reply = await fetch(`${tracker.url}${path}?Bugzilla_api_key=${tracker.key}`);
  return (await reply.json()) as Answer;
}

describe.runIf(isInstalled("bugzilla"))("python-bugzilla", () => {
  const bugzilla = (line: string) =>
    tracker.run("bugzilla", [`--bugzilla=${tracker.url}/rest/`, ...words(line)], {
      ".bugzillarc": `[${new URL(tracker.url).host}]\napi_key=${tracker.key}\n`,
    });

  test("files a bug, updates and finds it, and reads the products", async () => {
    const place = "-p Project -c General -v unspecified --os Linux --arch PC";
    const filed = await bugzilla(`new ${place} -t 'It stops' -l 'Every time.' --ids`);
    const id = /\d+/.exec(filed)?.[0] ?? "";
    expect(await bug(id)).toMatchObject({ summary: "It stops", status: "CONFIRMED", texts: ["Every time."] });
    const change = "-s RESOLVED --field resolution=FIXED -l 'Done.' --cc owner@localhost";
    expect(await bugzilla(`modify ${id} ${change}`)).toBe("");
    expect(await bug(id)).toMatchObject({
      ...{ status: "RESOLVED", resolution: "FIXED", cc: ["owner@localhost"], texts: ["Every time.", "Done."] },
    });
    expect(await bugzilla("query -s RESOLVED --outputformat '%{id} %{summary}'")).toBe(`${id} It stops`);
    expect(JSON.parse(await bugzilla(`query -b ${id} --json`))).toMatchObject({ bugs: [{ summary: "It stops" }] });
    expect(await bugzilla(`query -b ${id} --raw`)).toContain("ATTRIBUTE[resolution]: FIXED");
    expect(await bugzilla("info -c Project")).toBe("General");
  });
});
