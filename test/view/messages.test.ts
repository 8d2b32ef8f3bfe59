import { describe, expect, test } from "vitest";
import { type ErrorRecord, errorJson, errorText } from "../../src/view/messages.ts";
import { viewOf } from "./samples.ts";

const refused: ErrorRecord = {
  kind: "refused",
  exit_code: 3,
  message: "the tracker refused the change: There is no product named 'Firefx'.",
  details: ["#12: not permitted", "#13: no such bug"],
  request: "PUT https://bugs.example.org/rest/bug/12",
  http_status: 404,
  bugzilla_code: 51,
  changed: "nothing",
  hint: "bt field values product\nbt bug update --help",
};

describe("an error for a person", () => {
  test("has the error, the known facts and the hint, in this order", () => {
    expect(errorText(refused, viewOf())).toMatchInlineSnapshot(`
      "bt: the tracker refused the change: There is no product named 'Firefx'.
          #12: not permitted
          #13: no such bug
          no changes made
      hint: bt field values product
            bt bug update --help
      "
    `);
  });

  test("has its request, unless Bugzilla's message says enough", () => {
    const odd = { ...refused, bugzilla_code: undefined, details: [], hint: undefined };
    expect(errorText(odd, viewOf())).toContain(
      "\n    request: PUT https://bugs.example.org/rest/bug/12\n    response: HTTP 404\n    no changes made\n",
    );
  });
});

test("an error for a program is one object on one line", () => {
  const line = errorJson({ ...refused, message: "\u009b\u202e" });
  expect(line.match(/[\n\u009b\u202e]/g)).toEqual(["\n"]);
  expect(JSON.parse(line)).toEqual({ error: { ...refused, message: "\u009b\u202e" } });
});
