import { expect, test } from "vitest";
import { describeError } from "../../src/transport/network-errors.ts";

test.each([
  [Object.assign(new Error("getaddrinfo ENOTFOUND proxy.test"), { hostname: "proxy.test" }), "proxy.test"],
  [undefined, "bugs.example.org"],
])("a name that does not exist is the one that was looked up, be it the proxy's", (cause, name) => {
  const fault = { code: "ENOTFOUND", sent: false, answered: false, received: 0, cause };
  const said = describeError(fault).say({ ...fault, host: "bugs.example.org:443", name: "bugs.example.org" });
  expect(said).toBe(`cannot find ${name}: unknown host`);
});
