import { describe, expect, test } from "vitest";
import { deliver } from "../../../src/api/delivery/deliver.ts";
import { CREATE_ATTACHMENT } from "../../../src/api/operations/attachments.ts";
import { requestFor } from "../../../src/api/operations/operation.ts";
import { CREATE_BUG } from "../../../src/api/operations/write-bugs.ts";
import { updateRequest } from "../../../src/api/write/update-request.ts";
import type { JsonObject, Request } from "../../../src/wire/exchange.ts";
import { cannedDelivery, ok } from "./canned-delivery.ts";

/** A tracker of this version that stores every character beyond the BMP like this. */
function tracker(version: string, stored: (text: string) => string) {
  let thing: JsonObject = { id: 7 };
  const read = (path: string) => {
    if (path === "/rest/version") return { version };
    if (path === "/rest/bug/attachment/7") return { attachments: { 7: thing } };
    if (path === "/rest/bug/3/attachment") return { bugs: { 3: [] } };
    return { bugs: path === "/rest/bug/7" ? [thing] : [] };
  };
  const write = (path: string, { summary = "", whiteboard = "" }: Readonly<Record<string, string>>) => {
    thing = { id: 7, summary: stored(summary), whiteboard: stored(whiteboard) };
    const changes = { summary: { removed: "", added: summary } };
    return { id: 7, ids: [7], bugs: path === "/rest/bug/7" ? [{ id: 7, changes, last_change_time: "" }] : [] };
  };
  const respond = ({ method, path, body }: Request) =>
    ok(method === "GET" ? read(path) : write(path, body as Readonly<Record<string, string>>));
  const notes: string[] = [];
  const facts = new Map<string, JsonObject>();
  const memory = {
    read: async (name: string) => facts.get(name),
    write: async (name: string, fact: JsonObject) => void facts.set(name, fact),
  };
  const { delivery, step, steps, events } = cannedDelivery(respond, { note: (sentence) => void notes.push(sentence) });
  const send = (request: Request) => deliver({ request }, step, { ...delivery, memory, noted: new Set() });
  return { send, notes, steps, events };
}

const MARKS = (text: string) => text.replace(/[\u{10000}-\u{10FFFF}]/gu, "????");
const WARNING = "warning: this tracker stores characters such as 🎉 in summary as ????";
const NEW_BUG = requestFor(CREATE_BUG, { product: "P", component: "C", summary: "Done 🎉", description: "All 🎉" });

describe("characters beyond the BMP on a tracker that stores question marks", () => {
  test("are warned of before a bug is filed, and what is stored is named", async () => {
    const { send, notes } = tracker("5.0.6", MARKS);
    expect(await send(NEW_BUG)).toMatchObject({ st: "DONE", response: { id: 7 } });
    expect(notes).toEqual([WARNING, 'summary of bug 7 is stored as "Done ????"']);
  });

  test("are reported and journaled as they are stored", async () => {
    const { send, notes, events } = tracker("5.0.6", MARKS);
    const stored = { bugs: [{ id: 7, changes: { summary: { removed: "", added: "Done ????" } } }] };
    expect(await send(updateRequest([7], { summary: "Done 🎉" }))).toMatchObject({ st: "DONE", response: stored });
    expect(events.at(-1)).toMatchObject({ st: "DONE", answer: stored });
    expect(notes).toEqual([WARNING, 'summary of bug 7 is stored as "Done ????"']);
  });

  test("are read back of an attachment", async () => {
    const { send, notes } = tracker("5.0.6", MARKS);
    await send(
      requestFor(CREATE_ATTACHMENT, { ids: [3], file_name: "a.txt", summary: "Log 🎉", data: "", comment: "🎉" }),
    );
    expect(notes.at(-1)).toBe('summary of attachment 7 is stored as "Log ????"');
  });

  test("are warned of by another version once it was seen to do so", async () => {
    const { send, notes } = tracker("5.2", MARKS);
    await send(NEW_BUG);
    expect(notes).toEqual(['summary of bug 7 is stored as "Done ????"']);
    await send(NEW_BUG);
    expect(notes.slice(1)).toEqual([WARNING, 'summary of bug 7 is stored as "Done ????"']);
  });
});

test("a tracker that stores them whole is not warned of, from its second write on without a look at its version", async () => {
  const { send, notes, steps } = tracker("5.0.6", (text) => text);
  await send(NEW_BUG);
  await send(NEW_BUG);
  expect(notes).toEqual([WARNING]);
  expect(steps.filter((step) => step === "GET /rest/version")).toHaveLength(1);
});

test("other texts, and comments, need no request", async () => {
  const { send, notes, steps } = tracker("5.0.6", MARKS);
  await send(updateRequest([7], { summary: "Plain Ä 中", comment: { body: "🎉" } }));
  expect(notes).toEqual([]);
  expect(steps.filter((step) => step.startsWith("GET"))).not.toContain("GET /rest/version");
});
