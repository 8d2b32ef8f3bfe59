import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { localAddress, peerAddress, redactedUrl } from "../../../src/tracker/server/server.ts";

const socket = (address: string, port = 0) =>
  ({ remoteAddress: address, localAddress: address, localPort: port }) as Socket;

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["127.45.6.7", "127.0.0.1"],
  ["::ffff:127.9.9.9", "127.0.0.1"],
  ["::1", "127.0.0.1"],
  ["::ffff:192.168.1.5", "192.168.1.5"],
  ["2001:db8::127", "2001:db8::127"],
])("a client at %s is counted as %s", (address, place) => {
  expect(peerAddress(socket(address))).toBe(place);
});

test.each([
  ["192.168.1.5", 8090, "192.168.1.5:8090"],
  ["::ffff:192.168.1.5", 8090, "192.168.1.5:8090"],
  ["2001:db8::1", 8090, "[2001:db8::1]:8090"],
  ["192.168.1.5", 80, "192.168.1.5"],
])("a connection to %s, port %i, is for the host %s", (address, port, host) => {
  expect(localAddress(socket(address, port))).toBe(host);
});

test.each([
  ["/rest/bug?id=1&api_key=abc&x=api_key", "/rest/bug?id=1&api_key=***&x=api_key"],
  ["/rest/bug?Bugzilla_api_key=a=b", "/rest/bug?Bugzilla_api_key=***"],
  ["/rest/bug?%42ugzilla_token=abc", "/rest/bug?%42ugzilla_token=***"],
  ["/rest/login?login=ada&PASSWORD=abc", "/rest/login?login=ada&PASSWORD=***"],
  ["/rest/bug?%zz%70assword=abc", "/rest/bug?%zz%70assword=***"],
  ["/rest/\u009b2J\u001b[31m\u00e9\u007f", "/rest/?2J?[31m??"],
])("%j is logged as %j", (url, line) => {
  expect(redactedUrl(url)).toBe(line);
});
