import { describe, expect, test } from "vitest";
import { applySetup } from "../../src/tracker/setup/setup.ts";
import type { Json, JsonObject, Request } from "../../src/wire/exchange.ts";
import { isObject } from "../../src/wire/json.ts";
import { stoppedClock } from "../clock.ts";
import { freshDemo } from "../fresh-demo.ts";
import recordedBugzilla from "./bugzilla-5.0.json" with { type: "json" };
import { BUGZILLA_50, type Form, MOZILLA } from "./forms.ts";
import recordedMozilla from "./mozilla.json" with { type: "json" };

/**
 * A request to a real server, and its response. `{1}` and `{2}` are the first bugs that were filed. The servers were new, with one
 * user, two types of flags, and searches without criteria turned off.
 */
type Recorded = {
  readonly name: string;
  readonly request: { readonly method: string; readonly path: string; readonly body?: JsonObject };
  readonly response: { readonly status: number; readonly body: Json };
};

const RECORDED: readonly (readonly [Form, readonly Recorded[]])[] = [
  [BUGZILLA_50, recordedBugzilla as unknown as readonly Recorded[]],
  [MOZILLA, recordedMozilla as unknown as readonly Recorded[]],
];

/** Words of the recorded requests, and those of the demo. */
const WORDS: readonly (readonly [string, string])[] = [
  ["TestProduct", "Lantern"],
  ["TestComponent", "Library"],
  ["unspecified", "3.1"],
  ['"op_sys":"All"', '"op_sys":"Linux"'],
  ['"platform":"All"', '"platform":"PC"'],
  ['"P1"', '"High"'],
  ["admin@example.org", "mei@example.org"],
  ["match=admin", "match=mei"],
];

describe.each(RECORDED)("$name", (form, recorded) => {
  test("answers recorded requests with the status, the code and the forms of the real server", async () => {
    const { exchange, store } = freshDemo({ now: stoppedClock().now, random: (count) => new Uint8Array(count) });
    applySetup(store, form.setup);
    const tracker = form.over(exchange);
    const ids: string[] = [];
    for (const { name, request, response } of recorded) {
      const { status, body } = await tracker(requestOf(request, ids));
      const answer = JSON.parse(body);
      if (/^new bug(?: with an alias as text)?$/.test(name)) ids.push(String(answer.id));
      const [real, canned] = [response.body, answer].map((one) => (isObject(one) ? one["code"] : undefined));
      expect({ name, status, code: canned }).toEqual({ name, status: response.status, code: real });
      expect(differences(response.body, answer), name).toEqual([]);
    }
    expect(ids).toHaveLength(2);
  });
});

function requestOf({ method, path, body }: Recorded["request"], ids: readonly string[]): Request {
  const filled = (text: string) =>
    WORDS.reduce((words, [real, own]) => words.replaceAll(real, own), text).replace(
      /"?\{(\d)\}"?/g,
      (_, at) => ids[at - 1] ?? "",
    );
  const { pathname, searchParams } = new URL(filled(path), "https://bugs.example.org");
  return {
    method,
    path: pathname,
    query: [...searchParams],
    headers: {},
    ...(body && { body: filled(JSON.stringify(body)) }),
  };
}

/** Places at which two responses have values of different kinds; `null` is one of a text or a number. */
function differences(real: Json, canned: Json, place = ""): string[] {
  if (Array.isArray(real) && Array.isArray(canned)) {
    const [first, other] = [real[0], canned[0]];
    return first === undefined || other === undefined ? [] : differences(first, other, `${place}[]`);
  }
  if (isObject(real) && isObject(canned))
    return Object.keys(real).flatMap((key) =>
      key in canned ? differences(real[key] ?? null, canned[key] ?? null, `${place}.${key}`) : [],
    );
  const [kind, other] = [kindOf(real), kindOf(canned)];
  const isSame = kind === other || (real === null && other !== "list") || (canned === null && kind !== "list");
  return isSame ? [] : [`${place}: ${kind}, not ${other}`];
}

function kindOf(value: Json): string {
  return Array.isArray(value) ? "list" : typeof value;
}
