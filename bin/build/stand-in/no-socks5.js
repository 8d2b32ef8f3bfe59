// undici can go through a SOCKS5 proxy, as an experiment; bt does not.
export default class NoSocks5ProxyAgent {
  constructor() {
    throw new Error("a connection was to go through SOCKS5, which is not part of the bundle");
  }
}
