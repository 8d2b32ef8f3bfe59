import type { Socket } from "node:net";

/**
 * Where a request came from. This machine is one place, whichever of its loopback addresses somebody takes: failed logins
 * are counted by place.
 */
export function peerAddress({ remoteAddress = "unknown" }: Socket): string {
  const address = unmapped(remoteAddress);
  return address === "::1" || address.startsWith("127.") ? "127.0.0.1" : address;
}

/** The address that a connection reached, as a Host header writes it: no name that somebody else could give it. */
export function reachedAddress({ localAddress = "", localPort = 0 }: Socket): string {
  const address = unmapped(localAddress);
  return withPort(address.includes(":") ? `[${address}]` : address, localPort);
}

/** A host with its port, which goes without saying when it is that of HTTP. */
export function withPort(host: string, port: number): string {
  return port === 80 ? host : `${host}:${port}`;
}

function unmapped(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "");
}
