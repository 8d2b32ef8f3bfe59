import { expect, test } from "vitest";
import { READING_WAYS } from "./scene.ts";

test.each(READING_WAYS)("probable duplicates are found among the bugs that a person may see %s", async (_, open) => {
  const { say } = await open();
  const file = "bug create -p Lantern -c Library --version 3.2 --op-sys All --platform All -d Text";
  await say("ada", `${file} -t 'Zebra stripes in the thumbnails of albums'`);
  const hidden = (await say("ada", `${file} -t 'Zebra stripes in thumbnails' --groups security`)).out.trim();
  const similar = async (person: "mei" | "sam") => {
    const { code, out } = await say(
      person,
      "bug similar -t 'Thumbnails with zebra stripes' --json --jq 'map(select(.score > 0.4).id)'",
    );
    expect(code).toBe(0);
    return JSON.parse(out);
  };
  const shown = await similar("sam");
  expect(shown).toHaveLength(1);
  expect(await similar("mei")).toEqual([Number(hidden), ...shown]);
});
