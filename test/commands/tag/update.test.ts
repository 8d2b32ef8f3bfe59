import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("tags of an unknown comment are missing, though the tracker returns an empty list", async () => {
  const bt = demo();
  expect(await bt("tag update 99999 --add spam")).toMatchObject({ code: 5, out: "" });
  expect(await bt("tag update 112 --add Spam --remove old")).toMatchObject({ code: 0, out: "Spam\n" });
  expect(await bt("tag update 112 --add spam")).toMatchObject({ code: 0 });
});

test("a tag of one character is rejected", async () => {
  const err = 'bt: a tag must have 3 to 24 characters, "x" has 1\n';
  expect(await demo()("tag update 82 --add x")).toMatchObject({ code: 2, out: "", err });
});
