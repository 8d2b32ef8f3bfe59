import { type RequestOptions, request } from "node:http";

/** An answer as it came over HTTP. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
};

/** Asks over HTTP on a connection of its own; every header, method and body goes out as it is. */
export function ask(url: string, options: RequestOptions = {}, body: string | Uint8Array = ""): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: false, ...options }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text });
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Sends JSON with a key. */
export function send(
  url: string,
  { method, key, headers = {} }: { method: string; key: string; headers?: Record<string, string> },
  body: unknown,
): Promise<Answer> {
  const all = { "content-type": "application/json", "x-bugzilla-api-key": key, ...headers };
  return ask(url, { method, headers: all }, JSON.stringify(body));
}
