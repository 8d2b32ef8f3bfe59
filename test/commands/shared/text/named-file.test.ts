import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshFolder } from "../../../fresh-folder.ts";
import { demo } from "../../demo.ts";

const namedFile = () => {
  const file = join(freshFolder(), "text");
  writeFileSync(file, "From the file.");
  return file;
};

test.each(["comment add 44 -m", "bug update 44 -m", "bug create -p Lantern -c Editor --version 3.2 -t Crash -d"])(
  "the name of a file behind an @ is not taken for the text: %s",
  async (line) => {
    const file = namedFile();
    const { code, out, err, requests } = await demo()(`${line} @${file}`);
    expect([code, out, requests.filter(({ method }) => method !== "GET")]).toEqual([2, "", []]);
    expect(err).toBe(`bt: @${file} is the name of a file\nhint: --body-file ${file} reads it; as text: ' @${file}'\n`);
  },
);

test("other words behind an @ are text", async () => {
  const file = namedFile();
  for (const text of ["@mei", `@${file}-none`, `'@${file} is it'`, `' @${file}'`])
    expect(await demo()(`comment add 44 -m ${text}`)).toMatchObject({ code: 0, err: "" });
});
