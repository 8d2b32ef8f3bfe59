import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Around } from "../bt.ts";
import { freshFolder } from "../fresh-folder.ts";

/** A write of a verb on a bug of its own, or with a text of its own, and the SQL that counts how often it was done. */
export type Written = {
  readonly line: (n: number) => string;
  readonly before?: (n: number) => string; // SQL that makes it possible
  readonly first?: (n: number) => string; // line that makes it possible
  readonly trace: (n: number) => string;
  readonly typed?: (n: number) => Pick<Around, "terminal" | "env" | "answers">; // by somebody at a terminal
};

/** A file to attach. */
const README = fileURLToPath(new URL("../../README.md", import.meta.url));

/** Bugs from this number on may be written to, so that each write has one of its own. */
export const FIRST_FREE = 100;

/** Number of bugs that there have to be, so that a number is a bug, with some more behind it for changes of many. */
export const MOST_FREE = 300;

const CREATE = "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d Text";

function many(n: number): string {
  return [...Array(22).keys()].map((at) => FIRST_FREE + ((n + at) % 200)).join(" ");
}

const NEW = "product,component,version,op_sys,platform,description,summary\nLantern,Library,3.1,Linux,PC,Text";

/** A file of one row. */
function csv(content: string): string {
  const file = join(freshFolder(), "bugs.csv");
  writeFileSync(file, `${content}\n`);
  return file;
}

function comments(text: string): string {
  return `SELECT count(*) FROM comments WHERE text = '${text}'`;
}

function bugs(summary: string): string {
  return `SELECT count(*) FROM bugs WHERE summary = '${summary}'`;
}

function activity(field: string, bug: number, added: string): string {
  return `SELECT count(*) FROM activity WHERE bug_id = ${bug} AND field = '${field}' AND added = '${added}'`;
}

/** SQL that sets a request for information from a user. */
function infoRequest(bug: number, login: string): string {
  return `INSERT INTO flags (type_id, bug_id, status, setter_id, requestee_id, creation_date, modification_date)
    SELECT flag_types.id, ${bug}, '?', users.id, users.id, '2026-11-01T00:00:00Z', '2026-11-01T00:00:00Z'
    FROM flag_types, users WHERE flag_types.name = 'needinfo' AND users.login = '${login}'`;
}

/** A change of the whiteboard, for an undo. */
function wrongNote(bug: number): string {
  return `bug update ${bug} --whiteboard wrong-${bug}`;
}

/** Every verb that writes, in the forms that are looked for in different ways. */
export const WRITES: Readonly<Record<string, Written>> = {
  "comment add": { line: (n) => `comment add ${n} -m Comment-${n}`, trace: (n) => comments(`Comment-${n}`) },
  "comment add with hours": {
    line: (n) => `comment add ${n} -m Comment-${n} --work-time 0.5`,
    trace: (n) => `SELECT count(*) FROM comments WHERE text = 'Comment-${n}' AND work_time = 0.5`,
  },
  "bug create": { line: (n) => `${CREATE} -t Title-${n}`, trace: (n) => bugs(`Title-${n}`) },
  "bug create with an alias": {
    line: (n) => `${CREATE} -t Title-${n} --alias alias-${n}`,
    trace: (n) => bugs(`Title-${n}`),
  },
  "bug clone": { line: (n) => `bug clone ${n} -t Title-${n}`, trace: (n) => bugs(`Title-${n}`) },
  "bug update of a field": {
    line: (n) => `bug update ${n} --whiteboard note-${n}`,
    trace: (n) => activity("status_whiteboard", n, `note-${n}`),
  },
  "bug update with a comment": {
    line: (n) => `bug update ${n} --whiteboard note-${n} -m Comment-${n}`,
    trace: (n) => comments(`Comment-${n}`),
  },
  "bug update of hours": {
    line: (n) => `bug update ${n} --work-time 0.5`,
    trace: (n) => `SELECT count(*) FROM comments WHERE bug_id = ${n} AND work_time = 0.5`,
  },
  "bug update of a list": {
    line: (n) => `bug update ${n} --add-cc mei@example.org`,
    trace: (n) => activity("cc", n, "mei@example.org"),
  },
  "bug update of a flag": {
    line: (n) => `bug update ${n} --flag 'needinfo?(mei@example.org)'`,
    trace: (n) => `SELECT count(*) FROM flags WHERE bug_id = ${n}`,
  },
  "bug update of many": {
    line: (n) => `bug update ${many(n)} -y --whiteboard many-${n}`,
    trace: (n) => `SELECT count(*) / 22 FROM activity WHERE added = 'many-${n}'`,
  },
  "bug edit in the editor": {
    line: (n) => `bug edit ${n}`,
    trace: (n) => `${comments(`Comment-${n}`)} AND EXISTS (${activity("status_whiteboard", n, `note-${n}`)})`,
    typed: (n) => {
      const edit = `sed -i "s/^whiteboard:.*/whiteboard: note-${n}/" "$1"; grep -q ^Comment "$1" || echo Comment-${n} >> "$1"`;
      return { terminal: true, answers: ["n"], env: { EDITOR: `sh -c '${edit}' editor`, PATH: "/usr/bin:/bin" } };
    },
  },
  "bug triage": {
    line: (n) => `bug triage --id ${n}`,
    trace: (n) => `${comments(`Comment-${n}`)} AND EXISTS (${activity("priority", n, "Highest")})`,
    typed: (n) => ({ terminal: true, answers: ["p", "Highest", "m", `Comment-${n}`, "", "q", "y"] }),
  },
  "bug close": { line: (n) => `bug close ${n}`, trace: (n) => activity("bug_status", n, "RESOLVED") },
  "bug reopen": {
    line: (n) => `bug reopen ${n}`,
    before: (n) => `UPDATE bugs SET status = 'RESOLVED', resolution = 'FIXED' WHERE id = ${n}`,
    trace: (n) => activity("bug_status", n, "CONFIRMED"),
  },
  "bug confirm": {
    line: (n) => `bug confirm ${n}`,
    before: (n) => `UPDATE bugs SET status = 'UNCONFIRMED', is_confirmed = 0 WHERE id = ${n}`,
    trace: (n) =>
      `SELECT count(*) FROM activity WHERE bug_id = ${n} AND field = 'bug_status' AND removed = 'UNCONFIRMED'`,
  },
  "bug dup": { line: (n) => `bug dup ${n} 41`, trace: (n) => activity("bug_status", n, "RESOLVED") },
  "bug take": {
    line: (n) => `bug take ${n}`,
    before: (n) =>
      `UPDATE bugs SET assigned_to_id = (SELECT id FROM users WHERE login = 'mei@example.org') WHERE id = ${n}`,
    trace: (n) => `SELECT count(*) FROM activity WHERE bug_id = ${n} AND field = 'assigned_to'`,
  },
  "bug needinfo": {
    line: (n) => `bug needinfo ${n} --from mei@example.org -m Comment-${n}`,
    trace: (n) => `SELECT count(*) FROM flags WHERE bug_id = ${n} AND EXISTS (${comments(`Comment-${n}`)})`,
  },
  "bug answer": {
    line: (n) => `bug answer ${n} -m Comment-${n}`,
    before: (n) => infoRequest(n, "tomas@example.org"),
    trace: (n) => `${comments(`Comment-${n}`)} AND NOT EXISTS (SELECT 1 FROM flags WHERE bug_id = ${n})`,
  },
  "bug undo": {
    line: (n) => `bug undo ${n} -m Comment-${n}`,
    first: wrongNote,
    trace: (n) =>
      `${comments(`Comment-${n}`)} AND EXISTS (SELECT 1 FROM bugs WHERE id = ${n} AND whiteboard <> 'wrong-${n}')`,
  },
  "bug undo without a comment": {
    line: (n) => `bug undo ${n}`,
    first: wrongNote,
    trace: (n) => `SELECT count(*) FROM activity WHERE bug_id = ${n} AND removed = 'wrong-${n}'`,
  },
  "bug import of a new bug": {
    line: (n) => `bug import ${csv(`${NEW},Title-${n}`)} -y`,
    trace: (n) => bugs(`Title-${n}`),
  },
  "bug import of a change": {
    line: (n) => `bug import ${csv(`id,whiteboard,comment\n${n},note-${n},Comment-${n}`)} -y`,
    trace: (n) => comments(`Comment-${n}`),
  },
  "attachment add": {
    line: (n) => `attachment add ${n} ${README} --summary File-${n}`,
    trace: (n) => `SELECT count(*) FROM attachments WHERE summary = 'File-${n}' AND bug_id = ${n}`,
  },
  "attachment update of a field": {
    line: (n) => `attachment update 3 --summary Words-${n}`,
    trace: (n) => `SELECT count(*) FROM activity WHERE attachment_id = 3 AND added = 'Words-${n}'`,
  },
  "attachment update with a comment": {
    line: (n) => `attachment update 3 -m Comment-${n}`,
    trace: (n) => comments(`Comment-${n}`),
  },
  "tag update": {
    line: (n) => `tag update 5 --add tag-${n}`,
    trace: (n) => `SELECT count(*) FROM comment_tags WHERE tag = 'tag-${n}'`,
  },
  "group create": {
    line: (n) => `group create --name group-${n} --description Text`,
    trace: (n) => `SELECT count(*) FROM groups WHERE name = 'group-${n}'`,
  },
  "group update": {
    line: (n) => `group update staff --description Words-${n}`,
    trace: (n) => `SELECT count(*) FROM groups WHERE description = 'Words-${n}'`,
  },
  "api POST of a comment": {
    line: (n) => `api POST /rest/bug/${n}/comment -f comment=Comment-${n}`,
    trace: (n) => comments(`Comment-${n}`),
  },
  "api POST of a bug": {
    line: (n) =>
      `api POST /rest/bug -f product=Lantern -f component=Library -f version=3.1 -f op_sys=Linux -f platform=PC -f summary=Title-${n} -f description=Text`,
    trace: (n) => bugs(`Title-${n}`),
  },
  "api PUT of a bug": {
    line: (n) => `api PUT /rest/bug/${n} -f whiteboard=note-${n}`,
    trace: (n) => activity("status_whiteboard", n, `note-${n}`),
  },
};

/** Lines that read every kind of response. */
export const READING_LINES = [
  "bug get 40 --comments",
  "bug get 40 --timeline",
  "bug get 40 --json --comments --history",
  "bug history 29",
  "comment list 29",
  "comment get 29.1",
  "comment add 29 -m text --reply 0 --dry-run",
  "attachment list 21",
  "bug search is:open",
  "bug update 40 --flags needinfo+ --dry-run",
  "field list",
  "field values component --product Lantern",
  "product get Lantern",
  "group list",
  "user search mei",
  "tag search o",
  "todo",
  "auth status",
];
