import { expect, test } from "vitest";
import { ERROR_CODES } from "../../../src/wire/error-codes.ts";

test("no two names have one code", () => {
  const codes = Object.values(ERROR_CODES);
  expect([...new Set<number>(codes)]).toEqual(codes);
});
