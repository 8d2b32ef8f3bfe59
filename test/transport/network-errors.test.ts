import { expect, test } from "vitest";
import { describeError } from "../../src/transport/network-errors.ts";

test.each([
  [Object.assign(new Error("getaddrinfo ENOTFOUND proxy.test"), { hostname: "proxy.test" }), "proxy.test"],
  [undefined, "bugs.example.org"],
])("the error for an unknown host has the name that was requested, even if it is the proxy", (cause, name) => {
  const fault = { code: "ENOTFOUND", sent: false, answered: false, received: 0, cause };
  const said = describeError(fault).message({ ...fault, host: "bugs.example.org:443", name: "bugs.example.org" });
  expect(said).toBe(`cannot find ${name}: unknown host`);
});
