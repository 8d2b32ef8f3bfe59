import type { Socket } from "node:net";
import { expect, test } from "vitest";
import { localAddress } from "../../../src/tracker/server/server.ts";

const socket = (address: string, port: number) => ({ localAddress: address, localPort: port }) as Socket;

test.each([
  ["192.168.1.5", 8090, "192.168.1.5:8090"],
  ["::ffff:192.168.1.5", 8090, "192.168.1.5:8090"],
  ["2001:db8::1", 8090, "[2001:db8::1]:8090"],
  ["192.168.1.5", 80, "192.168.1.5"],
])("a connection to %s, port %i, is for the host %s", (address, port, host) => {
  expect(localAddress(socket(address, port))).toBe(host);
});
