import { describe, expect, test } from "vitest";
import { BtError } from "../../src/errors.ts";
import { asSecret } from "../../src/secret.ts";
import { authenticating, requiringEncryption } from "../../src/transport/authenticate.ts";
import type { AuthStyle, Exchange, Request } from "../../src/wire/exchange.ts";

const BASE = "https://bugs.example.org/bugzilla";
const KEY = "s3cret %&+key";

/** The request as it goes out, or the refusal. */
async function signed(
  request: Request,
  style: AuthStyle,
  where: { baseUrl?: string; allowHttp?: boolean; proxy?: URL } = {},
) {
  let out: Request | undefined;
  const { baseUrl = BASE, allowHttp, proxy } = where;
  const sent: Exchange = async (passed) => {
    out = passed;
    return { status: 200, headers: {}, body: "{}" };
  };
  const credential = { style, key: asSecret(KEY) };
  const exchange = authenticating(
    requiringEncryption(sent, { baseUrl: new URL(baseUrl), proxy }, allowHttp),
    credential,
  );
  const error = await exchange(request, 0)
    .then(() => undefined)
    .catch((caught: unknown) => caught);
  if (error instanceof BtError) return `${error.kind}: ${error.message}`;
  return out;
}

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [["a", "1"]] };
const WRITE: Request = { method: "PUT", path: "/rest/bug/7", query: [], body: { priority: "High" } };

describe("D7 unencrypted", () => {
  const far = { baseUrl: "http://bugs.example.org" };
  test("a key is not sent", async () => {
    expect(await signed(READ, "header", far)).toBe(
      "guard: refusing to send the API key to bugs.example.org unencrypted",
    );
  });
  test("unless allowed, or to this machine", async () => {
    expect(await signed(READ, "header", { ...far, allowHttp: true })).toHaveProperty("headers");
    for (const near of ["http://localhost:8080", "http://127.0.0.1:1", "http://[::1]:80"]) {
      expect(await signed(READ, "header", { baseUrl: near })).toHaveProperty("headers");
    }
  });
  test("a key is not sent to a proxy, for any tracker", async () => {
    const near = "http://127.0.0.1:1";
    const proxied = { baseUrl: near, proxy: new URL("http://proxy.example.org:3128") };
    expect(await signed(READ, "header", proxied)).toBe(
      "guard: refusing to send the API key to 127.0.0.1:1 through the proxy proxy.example.org:3128 unencrypted",
    );
    expect(await signed(READ, "header", { ...proxied, allowHttp: true })).toHaveProperty("headers");
    expect(await signed(READ, "header", { proxy: proxied.proxy })).toHaveProperty("headers"); // in a tunnel
  });
  test("a password in a request is not sent; data without secrets passes", async () => {
    const way = { baseUrl: new URL(far.baseUrl) };
    const exchange = requiringEncryption(async () => ({ status: 200, headers: {}, body: "" }), way);
    const login: Request = { method: "GET", path: "/rest/login", query: [["password", "x"]] };
    await expect(exchange(login, 0)).rejects.toMatchObject({ kind: "guard" });
    await expect(exchange({ ...READ, headers: { Authorization: "Basic x" } }, 0)).rejects.toMatchObject({
      kind: "guard",
    });
    await expect(exchange({ ...WRITE, body: { Bugzilla_api_key: "x" } }, 0)).rejects.toMatchObject({ kind: "guard" });
    await expect(exchange(READ, 0)).resolves.toMatchObject({ status: 200 });
  });
  test("a host name with the prefix of this machine is another machine", async () => {
    const baseUrl = "http://localhost.evil.test";
    expect(await signed(READ, "header", { baseUrl })).toMatch(/unencrypted/);
  });
});
