// undici speaks HTTP/2 when it is allowed to; bt does not allow it.
export function connectH2() {
  throw new Error("a connection became HTTP/2, which is not part of the bundle");
}
