import { expect, test } from "vitest";
import { demo } from "../demo.ts";

test("tags of an unknown comment are missing, though the tracker returns an empty list", async () => {
  const bt = demo();
  expect(await bt("tag update 99999 --add spam")).toMatchObject({ code: 5, out: "" });
  expect(await bt("tag update 112 --add Spam --remove old")).toMatchObject({ code: 0, out: "Spam\n" });
  expect(await bt("tag update 112 --add spam")).toMatchObject({ code: 0 });
});
