import { beforeEach, describe, expect, test } from "vitest";
import { type Talk, talk } from "../talk.ts";

let here: Talk;
beforeEach(() => {
  here = talk();
});

describe("users that match", () => {
  const names = async (query: string) => {
    const { body } = await here.get("alice", `/rest/user?${query}&include_fields=name`);
    return (body as never as { users?: { name: string }[] }).users?.map(({ name }) => name) ?? body;
  };

  test("an invalid limit is rejected", async () => {
    expect(await names("match=bob&limit=x")).toMatchObject({ code: 52 });
  });
});
