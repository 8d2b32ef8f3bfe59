import { describe, expect, test } from "vitest";
import { divertData } from "../../src/transport/file-data.ts";

/** The part of a body that is kept as it arrives in pieces of a size, and the decoded data. */
function diverted(body: string, size: number) {
  const bytes = Buffer.from(body);
  const data: Uint8Array[] = [];
  const take = divertData((piece) => data.push(Buffer.from(piece)));
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) kept.push(take(bytes.subarray(at, at + size)));
  return { kept: Buffer.concat(kept).toString(), data: Buffer.concat(data) };
}

const SIZES = [1, 2, 3, 5, 7, 64, 10_000, 50_000];
const BYTES = Buffer.from(Array.from({ length: 20_000 }, (_, at) => (at * 7) % 256));

describe.each(SIZES)("in pieces of %i bytes", (size) => {
  test.each([
    ["a member with others", (text: string) => `{"a":{"33":{"id":33,"data":"${text}","name":"ü\\"data\\""}},"b":[]}`],
    ["a member with white space", (text: string) => `{ "data" :\n "${text}" }`],
    ["a text that looks like the name", (text: string) => `{"summary":"data","x":"data\\":","data":"${text}"}`],
  ])("%s is decoded and leaves an empty text", (_, body) => {
    expect(diverted(body(BYTES.toString("base64")), size)).toEqual({ kept: body(""), data: BYTES });
  });

  test("escaped slashes and line breaks are no part of the data", () => {
    const text = BYTES.toString("base64")
      .replace(/(.{76})/g, "$1\\r\\n")
      .replaceAll("/", "\\/");
    expect(diverted(`{"data":"${text}"}`, size)).toEqual({ kept: '{"data":""}', data: BYTES });
  });

  test.each(['{"error":true,"message":"no data"}', '{"data":null}', '{"data":[{"data":1}]}', "<html>data</html>", ""])(
    "%j is kept unchanged",
    (body) => {
      expect(diverted(body, size)).toEqual({ kept: body, data: Buffer.alloc(0) });
    },
  );
});

test("what follows the first data is kept", () => {
  expect(diverted('{"data":"YQ==","x":{"data":"Yg=="}}', 4)).toEqual({
    kept: '{"data":"","x":{"data":"Yg=="}}',
    data: Buffer.from("a"),
  });
});
