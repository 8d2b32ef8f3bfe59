import { describe, expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import { asSecret } from "../../src/secret.ts";
import { checkEncryption, withKey } from "../../src/transport/authenticate.ts";
import type { AuthStyle, Request } from "../../src/wire/exchange.ts";

const BASE = "https://bugs.example.org/bugzilla";
const KEY = "s3cret %&+key";

/** The request as it goes out, or the refusal. */
function signed(
  request: Request,
  style: AuthStyle,
  { baseUrl = BASE, allowHttp, proxy }: { baseUrl?: string; allowHttp?: boolean; proxy?: URL } = {},
) {
  const out = withKey(request, { style, key: asSecret(KEY) });
  try {
    checkEncryption(out, { baseUrl: new URL(baseUrl), proxy }, allowHttp);
    return out;
  } catch (error) {
    return error instanceof BtError ? `${error.kind}: ${error.message}` : error;
  }
}

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["a", "1"]] };
const WRITE: Request = { method: "PUT", path: "/rest/bug/7", query: [], body: { priority: "High" } };

describe("D7 unencrypted", () => {
  const far = { baseUrl: "http://bugs.example.org" };
  test("a key is not sent", () => {
    expect(signed(READ, "header", far)).toBe("guard: refusing to send the API key to bugs.example.org unencrypted");
  });
  test("unless allowed, or to this machine", () => {
    expect(signed(READ, "header", { ...far, allowHttp: true })).toHaveProperty("headers");
    for (const near of ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:80"]) {
      expect(signed(READ, "header", { baseUrl: near })).toHaveProperty("headers");
    }
  });
  test("a key is not sent to a proxy, for any tracker", () => {
    const near = "http://127.0.0.1:1";
    const proxied = { baseUrl: near, proxy: new URL("http://proxy.example.org:3128") };
    expect(signed(READ, "header", proxied)).toBe(
      "guard: refusing to send the API key to 127.0.0.1:1 through the proxy proxy.example.org:3128 unencrypted",
    );
    expect(signed(READ, "header", { ...proxied, allowHttp: true })).toHaveProperty("headers");
    expect(signed(READ, "header", { proxy: proxied.proxy })).toHaveProperty("headers"); // in a tunnel
  });
  test("a password in a request is not sent; data without secrets passes", () => {
    const check = (request: Request) => () => checkEncryption(request, { baseUrl: new URL(far.baseUrl) });
    const refusal = expect.objectContaining({ kind: "guard" });
    expect(check({ method: "GET", path: "/rest/login", query: [["password", "x"]] })).toThrow(refusal);
    expect(check({ ...READ, headers: { authorization: "Basic x" } })).toThrow(refusal);
    expect(check({ ...WRITE, body: { Bugzilla_api_key: "x" } })).toThrow(refusal);
    expect(check(READ)).not.toThrow();
  });
  test("a host name with the prefix of this machine is another machine", () => {
    const baseUrl = "http://localhost.evil.test";
    expect(signed(READ, "header", { baseUrl })).toMatch(/unencrypted/);
  });
});
