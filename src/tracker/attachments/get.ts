import type { Json, JsonObject } from "../../wire/exchange.ts";
import { namedBugs } from "../bugs/find.ts";
import type { Call, Route } from "../call.ts";
import { Fault, faults } from "../fault.ts";
import { texts } from "../input.ts";
import { readSelection } from "../selection.ts";
import { attachmentById, attachmentsOfBug, shownAttachment } from "./read.ts";

/** Attachments of bugs, and single ones by id; with their data unless that is excluded. */
export const attachmentRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/bug/attachment/{attachment_id}",
    mayTakeLong: true,
    handle: (call) => ({ bugs: {}, attachments: single(call) }),
  },
  {
    method: "GET",
    path: "/bug/{id}/attachment",
    mayTakeLong: true,
    handle: (call) => ({ bugs: ofBugs(call), attachments: single(call) }),
  },
];

function ofBugs(call: Call): Json {
  const selection = readSelection(call.input);
  const shown = (id: number) => attachmentsOfBug(call, id).map((row) => shownAttachment(call, row, selection));
  return Object.fromEntries(namedBugs(call).map((id) => [String(id), shown(id)]));
}

// Ids that nothing has are left out, those of private attachments refused.
function single(call: Call): JsonObject {
  const part = call.path["attachment_id"];
  const ids = [...(part === undefined ? [] : [part]), ...texts(call.input, "attachment_ids")];
  if (ids.some((id) => !/^\d+$/.test(id))) throw faults.notANumber("attachment_ids");
  const selection = readSelection(call.input);
  const known = ids.filter((id) => call.store.get("SELECT id FROM attachments WHERE id = ?", [Number(id)]));
  return Object.fromEntries(
    known.map((id) => {
      const row = attachmentById(call, Number(id));
      if (!row) throw new Fault(401, 304, `Sorry, you are not authorized to access attachment #${id}.`);
      return [id, shownAttachment(call, row, selection)];
    }),
  );
}
