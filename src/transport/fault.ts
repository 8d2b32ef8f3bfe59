/** Why a request got no whole answer, and how far it had come. */
export type Fault = {
  readonly code: string; // of the operating system, Node or undici, or one of OWN below
  readonly sent: boolean; // a byte of the request may have left
  readonly answered: boolean; // a byte of the answer came
  readonly received: number; // bytes of the body
  readonly expected?: number | undefined;
  readonly said?: string | undefined; // what the other side sent in place of HTTP; the names in a certificate
  readonly limit?: number | undefined; // the limit that was met, in milliseconds or bytes
  readonly cause?: unknown;
};

/** Faults that `bt` finds itself; the names of all others come from below. */
export const OWN = {
  slowConnect: "BT_SLOW_CONNECT",
  slowHeaders: "BT_SLOW_HEADERS",
  slowAnswer: "BT_SLOW_ANSWER",
  cut: "BT_CUT",
  tooBig: "BT_TOO_BIG",
  tooMany: "BT_TOO_MANY",
  chatter: "BT_CHATTER",
  unasked: "BT_UNASKED",
  notHttp: "BT_NOT_HTTP",
  lengths: "BT_LENGTHS",
  encoding: "BT_ENCODING",
  interrupted: "BT_INTERRUPTED",
} as const;
