import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/wire/exchange.ts";
import type { Ran } from "../../bt.ts";
import { demo } from "../demo.ts";

const VERSIONS = { "product add": { name: "Numbers", versions: ["2", "3", "11"] } };
const COMPONENT = { "component add": { product: "Numbers", name: "Sum", default_assignee: "mei@example.org" } };

function filed({ requests }: Ran): JsonObject {
  return requests.find(({ method }) => method === "POST")?.body as JsonObject;
}

function create(flags: string, answers: string[]): Promise<Ran> {
  return demo({ ...VERSIONS, ...COMPONENT })(`bug create -p Numbers --os All --platform All ${flags}`, {
    terminal: true,
    answers,
  });
}

describe("at a terminal a missing required value is chosen from a numbered list", () => {
  test.each([
    ["2", "2", "by its name, though it is the number of another"],
    ["11", "11", "by its name"],
    ["1", "2", "by its number where none has that name"],
  ])("%s chooses version %s: %s", async (typed, version) => {
    const ran = await create("-c Sum -t x", [typed]);
    expect([ran.code, filed(ran)["version"]]).toEqual([0, version]);
    expect(ran.err).toContain(`version: version: ${version}\n`); // the prompt, then the choice
  });

  test.each(["0", "4", "1.0", "1e0", "0x1", " "])("%j chooses none", async (typed) => {
    const ran = await create("-c Sum -t x", [typed, "3"]);
    expect(filed(ran)["version"]).toBe("3");
    expect(ran.err).toContain(typed.trim() === "" ? "version, by number or name" : `no match for "${typed}"`);
  });

  test("the only valid value is chosen and reported", async () => {
    const ran = await create("-t x --version 3", []);
    expect([ran.code, filed(ran)["component"]]).toEqual([0, "Sum"]);
    expect(ran.err).toContain("component: Sum (the only one)\n");
  });
});
