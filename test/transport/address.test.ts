import { expect, test } from "vitest";
import { proxyFor } from "../../src/transport/address.ts";

const PROXIES = { http_proxy: "http://plain.proxy:3128", HTTPS_PROXY: "secure.proxy:8080" };

test.each([
  ["https://bugs.example.org", {}, undefined],
  ["https://bugs.example.org", PROXIES, "http://secure.proxy:8080/"],
  ["http://bugs.example.org", PROXIES, "http://plain.proxy:3128/"],
  ["http://localhost:80", PROXIES, undefined],
  ["https://127.0.0.1", PROXIES, undefined],
  ["http://[::1]:8080", PROXIES, undefined],
  ["https://bugs.example.org", { ...PROXIES, NO_PROXY: "*" }, undefined],
  ["https://bugs.example.org", { ...PROXIES, no_proxy: "other, .example.org" }, undefined],
  ["https://bugs.example.org", { ...PROXIES, NO_PROXY: "*.Example.org" }, undefined],
  ["https://bugsexample.org", { ...PROXIES, NO_PROXY: "example.org" }, "http://secure.proxy:8080/"],
  ["https://bugs.example.org", { HTTPS_PROXY: "upper:1", https_proxy: "" }, undefined],
])("%s with %j goes through %s", (baseUrl, env, expected) => {
  expect(proxyFor(new URL(baseUrl), env)?.href).toBe(expected);
});

test("an explicit proxy applies to this machine too", () => {
  expect(proxyFor(new URL("http://127.0.0.1"), {}, "127.0.0.1:3128")?.host).toBe("127.0.0.1:3128");
});

test.each(["ftp://user:pass@x", "socks5://user:pass@x:1080", "socks://x", "http://"])(
  "%s, which is no http or https URL, is rejected without printing it",
  (value) => {
    const refused = "is not an http or https URL";
    const tracker = new URL("https://a.test");
    expect(() => proxyFor(tracker, {}, value)).toThrow(`the setting proxy ${refused}`);
    expect(() => proxyFor(tracker, { HTTPS_PROXY: value })).toThrow(`HTTPS_PROXY ${refused}`);
    expect(proxyFor(tracker, { HTTPS_PROXY: value, NO_PROXY: "a.test" })).toBeUndefined();
  },
);
