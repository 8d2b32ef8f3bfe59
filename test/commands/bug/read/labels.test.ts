import { expect, test } from "vitest";
import type { Exchange, Json, JsonObject } from "../../../../src/wire/exchange.ts";
import { type Around, bt, bugzillaFacts } from "../../../bt.ts";
import { freshDemo } from "../../../fresh-demo.ts";

const NOW = "2026-11-20T12:00:00Z";

const RENAMED: Readonly<Record<string, string>> = { bug_severity: "Impact", status_whiteboard: "Impact notes" };

/** A tracker on the network where two fields have other names. */
function renaming(): Pick<Around, "exchange" | "isInProcess" | "facts" | "terminal" | "columns" | "now"> {
  const { exchange } = freshDemo({ now: () => new Date(NOW), random: (count) => new Uint8Array(count).fill(7) });
  const renamed: Exchange = async (request) => {
    const reply = await exchange(request);
    if (request.path !== "/rest/field/bug") return reply;
    const { fields, ...rest } = JSON.parse(String(reply.body)) as { fields: JsonObject[] };
    const named = fields.map((field) => ({
      ...field,
      display_name: RENAMED[String(field["name"])] ?? field["display_name"],
    }));
    return { ...reply, body: JSON.stringify({ ...rest, fields: named } as unknown as Json) };
  };
  return { exchange: renamed, isInProcess: false, facts: bugzillaFacts(), terminal: true, columns: 130, now: NOW };
}

test.each([
  "bug search --severity major",
  "bug search --severity major --by severity",
  "bug history 49",
  "bug update 44 --severity minor --dry-run",
])("bt %s has the tracker's name of a field that was renamed there", async (line) => {
  expect((await bt(line, renaming())).out).toMatch(/\bimpact\b/i);
});
