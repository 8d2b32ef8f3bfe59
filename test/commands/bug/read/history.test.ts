import { describe, expect, test } from "vitest";
import { demo } from "../../demo.ts";

/** Fields and authors of the changes that a history shows. */
async function changes(line: string) {
  const { out } = await demo()(`${line} --fields who,field_name --format tsv`);
  return out.trimEnd().split("\n").filter(Boolean);
}

describe("bt bug history", () => {
  test("--field leaves the changes of these fields, whatever their names", async () => {
    const all = await changes("bug history 48");
    const status = all.filter((row) => row.endsWith("\tstatus"));
    expect(status.length).toBeGreaterThan(0);
    expect(status.length).toBeLessThan(all.length);
    expect(await changes("bug history 48 --field status")).toEqual(status);
    expect(await changes("bug history 48 --field bug_status,milestone")).toEqual(
      all.filter((row) => /\t(status|target_milestone)$/.test(row)),
    );
  });

  test("--author @me is the login", async () => {
    const bt = demo();
    await bt("bug update 48 --priority Low");
    expect((await bt("bug history 48 --author @me --fields field_name --format tsv")).out).toBe("priority\n");
  });
});
