import { describe, expect, test } from "vitest";
import type { VerifyContext } from "../../../src/api/delivery/write.ts";
import { verifyAs, writeKind } from "../../../src/api/delivery/write-kinds.ts";
import type { Json, Request } from "../../../src/wire/exchange.ts";
import { demoScene, POST, PUT } from "./demo-scene.ts";

test.each<[Request, string | undefined, string]>([
  [POST("/rest/bug", {}), "bug create", "the bug creation"],
  [POST("/rest/bug/7/comment", {}), "comment add", "the comment on bug 7"],
  [PUT("/rest/bug/comment/9/tags", {}), "tag update", "the tag update of comment 9"],
  [PUT("/rest/bug/7", {}), "bug update", "the update of bug 7"],
  [PUT("/rest/bug/7", { ids: [7, 8] }), "bug update", "the update of bugs 7, 8"],
  [PUT("/rest/bug/7", { ids: [1, 2, 3, 4] }), "bug update", "the update of 4 bugs"],
  [POST("/rest/group", { name: "qa" }), "group create", "the creation of group qa"],
  [PUT("/rest/group/qa", {}), "group update", "the update of group qa"],
  [POST("/rest/bug/7/attachment", {}), "attachment add", "the attachment on bug 7"],
  [PUT("/rest/bug/attachment/3", { ids: [3, 4] }), "attachment update", "the update of attachments 3, 4"],
  [POST("/rest/bug/attachment/3", {}), undefined, "POST /rest/bug/attachment/3"],
])("%j is of the kind %s", (request, command, label) => {
  const kind = writeKind(request);
  expect([kind.command, kind.describe(request)]).toEqual([command, label]);
});

describe("a response belongs to this write if it", () => {
  const update = PUT("/rest/bug/7", { ids: [7, 8] });
  const changed = (...ids: readonly Json[]) => ({ bugs: ids.map((id) => ({ id, changes: {} })) });
  test.each<[string, Request, Json, boolean]>([
    ["has an id", POST("/rest/bug", {}), { id: 7 }, true],
    ["has no id", POST("/rest/bug", {}), {}, false],
    ["has a non-numeric id", POST("/rest/bug", {}), { id: "7" }, false],
    ["has no positive id", POST("/rest/bug", {}), { id: 0 }, false],
    ["names every bug", update, changed(7, "8"), true],
    ["names some bugs", update, changed(7), false],
    ["names other bugs", update, changed(7, 9), false],
    ["names the bugs without changes", update, { bugs: [{ id: 7 }, { id: 8 }] }, false],
    ["names any bug for an alias", PUT("/rest/bug/crash", {}), changed(7), true],
    ["names none for an alias", PUT("/rest/bug/crash", {}), changed(), false],
  ])("%s", (...[, request, answer, is]) => {
    expect(writeKind(request).isResponse(answer, request)).toBe(is);
  });
});

test("a write of an unknown kind cannot be verified", async () => {
  const request = POST("/rest/bug/attachment/3", {});
  const verified = writeKind(request).verify({ request, at: 0, since: "" }, {} as VerifyContext);
  expect(await verified).toEqual({ status: "unverifiable" });
});

describe("a write resumed by another user", () => {
  const ADD = POST("/rest/bug/1/comment", { comment: "Seen again." });

  async function verified(writer: "owner" | "requester" | "nobody", owner: string) {
    const { sent, send, askAsOther, context } = demoScene();
    const write = sent(ADD);
    if (writer !== "nobody") await (writer === "owner" ? askAsOther : send)(ADD);
    return (await verifyAs({ user: owner }, write, context)).status;
  }

  test.each([
    ["owner", "ada@example.org", "applied"],
    ["requester", "ada@example.org", "applied"],
    ["owner", "somebody@example.org", "ambiguous"],
    ["nobody", "ada@example.org", "not-found"],
  ] as const)("by its %s, started by %s, is %s", async (writer, owner, status) => {
    expect(await verified(writer, owner)).toBe(status);
  });
});
