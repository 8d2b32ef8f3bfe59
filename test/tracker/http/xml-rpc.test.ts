import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createTracker as makeTracker } from "../../../src/tracker/http/tracker.ts";
import { handleXmlRpc } from "../../../src/tracker/http/xml-rpc.ts";
import { decodeCall, encodeResult } from "../../../src/tracker/http/xml-rpc-format.ts";
import type { Json } from "../../../src/wire/exchange.ts";
import { freshDemo } from "../../fresh-demo.ts";
import { PASSWORD, recordedStore } from "../state.ts";

function call(method: string, params: Json) {
  return encodeResult(params)
    .replace("<methodResponse>", `<methodCall><methodName>${method}</methodName>`)
    .replace("</methodResponse>", "</methodCall>");
}

describe("a call is parsed", () => {
  test("formatted or not", () => {
    const xml = `<?xml version='1.0'?>
      <methodCall>
        <methodName>Bug.search</methodName>
        <params><param><value><struct>
          <member><name>status</name><value><array><data><value><string>NEW</string></value><value>CONFIRMED</value></data></array></value></member>
          <member><name>limit</name><value><int>5</int></value></member>
          <member><name>since</name><value><dateTime.iso8601>20261120T12:00:00</dateTime.iso8601></value></member>
          <member><name>empty</name><value><string/></value></member>
        </struct></value></param></params>
      </methodCall>`;
    expect(decodeCall(xml)).toEqual({
      method: "Bug.search",
      params: [{ status: ["NEW", "CONFIRMED"], limit: 5, since: "2026-11-20T12:00:00Z", empty: "" }],
    });
  });

  test("every JSON value survives a round trip", () => {
    const text = fc.string({ unit: "grapheme" }).map((one) => one.replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, ""));
    const json = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 4 }, text, fc.integer(), fc.boolean(), fc.constant(null), tie("list"), tie("record")),
      list: fc.array(tie("value"), { maxLength: 4 }),
      record: fc.dictionary(
        text.map((name) => `k${name}`),
        tie("value"),
        { maxKeys: 4 },
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expect(decodeCall(call("m", value as Json)).params).toEqual([JSON.parse(JSON.stringify(value))]);
      }),
    );
  });

  test.each([
    "",
    "<methodCall>",
    "<a/>",
    "<!DOCTYPE x><methodCall/>",
    call("m", 1).replace("<int>1", "<int>x"),
    "<methodCall><methodName>m</methodName><params><param><value><date/></value></param></params></methodCall>",
  ])("or rejected: %s", (xml) => {
    expect(() => decodeCall(xml)).toThrow("The call cannot be read");
  });
});

describe("a call is answered", () => {
  const { tracker } = freshDemo({
    now: () => new Date("2026-11-20T12:00:00Z"),
    random: (count) => new Uint8Array(count),
  });
  const ask = async (method: string, params: Json) => {
    const request = { method: "POST", path: "/xmlrpc.cgi", query: [], body: call(method, params) };
    return (await handleXmlRpc(tracker, request, { address: "127.0.0.1" })).body;
  };

  test("with the data of REST", async () => {
    expect(await ask("Bug.get", { ids: [12, 14], include_fields: ["id"] })).toBe(
      encodeResult({ bugs: [{ id: 12 }, { id: 14 }], faults: [] }),
    );
  });

  test("with comments by their ids alone", async () => {
    const said = await ask("Bug.comments", { comment_ids: [2, 3], include_fields: ["id"] });
    expect(said).toBe(encodeResult({ bugs: {}, comments: { "2": { id: 2 }, "3": { id: 3 } } }));
  });

  test("with the times and contents of attachments in XML-RPC's own types", async () => {
    const told = await ask("Bug.attachments", { ids: [21] });
    expect(told).toMatch(/<name>data<\/name><value><base64>[\w+/=]+<\/base64>/);
    expect(told).toMatch(/<name>creation_time<\/name><value><dateTime.iso8601>\d{8}T\d\d:\d\d:\d\d</);
    expect(told).toContain("<name>summary</name><value><string>");
    expect(encodeResult({ summary: "2026-11-20T12:00:00Z", time: "soon" })).not.toContain("dateTime");
  });

  test("with the error number of REST as a fault", async () => {
    expect(await ask("Bug.get", { ids: [99999] })).toContain("<name>faultCode</name><value><int>101</int>");
    expect(await ask("Bug.nosuch", {})).toContain("no method named");
    expect(await ask("constructor", {})).toContain("no method named");
    expect(await ask("Bug.create", { product: "Lantern" })).toContain("<fault>");
  });

  test.each(["accessible", "enterable", "selectable"])("with the ids of %s products", async (kind) => {
    const rest = await tracker({ method: "GET", path: `/rest/product_${kind}`, query: [] });
    expect(await ask(`Product.get_${kind}_products`, {})).toBe(encodeResult(JSON.parse(rest.body)));
  });

  test("in a session that starts with a password and ends with logout", async () => {
    const surroundings = {
      now: () => new Date("2026-11-20T12:00:00Z"),
      random: (count: number) => new Uint8Array(count),
    };
    const recorded = makeTracker(recordedStore(), surroundings);
    const say = async (method: string, params: Json) => {
      const request = { method: "POST", path: "/xmlrpc.cgi", query: [], body: call(method, params) };
      return (await handleXmlRpc(recorded, request, { address: "127.0.0.1" })).body;
    };
    const login = "alice@example.org";
    expect(await say("User.login", { login, password: "no" })).toContain("<int>300</int>");
    const began = await say("User.login", { login, password: PASSWORD });
    const [, token = ""] = /<name>token<\/name><value><string>([^<]+)/.exec(began) ?? [];
    expect(await say("User.valid_login", { login, Bugzilla_token: token })).toBe(encodeResult(true));
    expect(await say("User.logout", { Bugzilla_token: token })).toBe(encodeResult(null));
    expect(await say("User.valid_login", { login, Bugzilla_token: token })).toContain("<fault>");
  });

  test("without hidden data", async () => {
    const rest = await tracker({
      method: "GET",
      path: "/rest/bug",
      query: [
        ["limit", "0"],
        ["include_fields", "id"],
      ],
    });
    expect(await ask("Bug.search", { limit: 0, include_fields: "id" })).toBe(encodeResult(JSON.parse(rest.body)));
  });
});
