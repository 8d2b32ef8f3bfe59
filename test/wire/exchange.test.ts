import { expect, test } from "vitest";
import { parsedUrl } from "../../src/wire/exchange.ts";

test("an address beyond ASCII is one however often it is read, and others are none", () => {
  const hosts = Array.from({ length: 20_000 }, () => parsedUrl("https://bücher.example")?.host);
  expect(new Set(hosts)).toEqual(new Set(["xn--bcher-kva.example"]));
  expect(parsedUrl("no address")).toBeUndefined();
  expect(parsedUrl("b", "https://a.example/x/")?.href).toBe("https://a.example/x/b");
});
