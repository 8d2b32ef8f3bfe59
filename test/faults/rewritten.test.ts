import { describe, expect, test } from "vitest";
import { FATES, type FaultyTracker, once } from "./faulty-tracker.ts";
import { jobIn, ran } from "./ran.ts";

const CREATE =
  "bug create -p Lantern -c Library --bug-version 3.1 --op-sys Linux --platform PC -d 'It crashes.' -t 'Crash 👻 again'";
const COMMENT = "comment add 43 -m 'Seen 👻 again'";
const LAST_BUG = "(SELECT max(id) FROM bugs)";
const LAST_COMMENT = "(SELECT max(id) FROM comments)";
const MEI = "mei@example.org";

/** What happened to a write after it was applied and before it is looked for. */
type Meanwhile = (tracker: FaultyTracker) => unknown;

const sql =
  (statement: string): Meanwhile =>
  ({ store }) =>
    store.exec(statement);
const hide = (bug: string): Meanwhile =>
  sql(`INSERT INTO bug_groups (bug_id, group_id) SELECT ${bug}, id FROM groups WHERE name = 'release-drivers';
    UPDATE bugs SET is_creator_accessible = 0, is_cc_accessible = 0, assigned_to_id = 1 WHERE id = ${bug}`);
const retitle: Meanwhile = (tracker) =>
  tracker.as(MEI, {
    method: "PUT",
    path: `/rest/bug/${tracker.count(`SELECT ${LAST_BUG}`)}`,
    body: { summary: "Ghosts" },
  });

/** Writes whose effect is not what was sent when it is looked for: what is reported, and how often it was applied. */
const FOUND: Readonly<Record<string, readonly [line: string, Meanwhile, said: RegExp, count: string]>> = {
  "a comment without its emoji": [
    COMMENT,
    sql(`UPDATE comments SET text = 'Seen ???? again' WHERE id = ${LAST_COMMENT}`),
    /comment \d+ is stored as "Seen \?\?\?\? again"/,
    "SELECT count(*) FROM comments WHERE text = 'Seen ???? again'",
  ],
  "a comment with a footer": [
    COMMENT,
    sql(`UPDATE comments SET text = text || char(10) || 'sent by mail' WHERE id = ${LAST_COMMENT}`),
    /comment \d+ is stored as ".*sent by mail"/,
    "SELECT count(*) FROM comments WHERE text LIKE '%sent by mail'",
  ],
  "a comment that was made private": [
    COMMENT,
    sql(`UPDATE comments SET is_private = 1 WHERE id = ${LAST_COMMENT}`),
    /comment \d+ is private/,
    "SELECT count(*) FROM comments WHERE text LIKE 'Seen % again'",
  ],
  "the comment of an update, escaped": [
    "bug update 43 --priority High -m 'a < b'",
    sql(`UPDATE comments SET text = 'a &lt; b' WHERE id = ${LAST_COMMENT}`),
    /comment \d+ is stored as "a &lt; b"/,
    "SELECT count(*) FROM comments WHERE text = 'a &lt; b'",
  ],
  "a whiteboard that was escaped": [
    "bug update 43 --whiteboard 'a < b'",
    sql("UPDATE bugs SET whiteboard = 'a &lt; b' WHERE id = 43"),
    /whiteboard of bug 43 is stored as "a &lt; b"/,
    "SELECT count(*) FROM activity WHERE bug_id = 43 AND field = 'status_whiteboard' AND added = 'a < b'",
  ],
  "a summary without its emoji": [
    "bug update 43 --summary 'Crash 👻'",
    sql("UPDATE bugs SET summary = 'Crash ????' WHERE id = 43"),
    /summary of bug 43 is stored as "Crash \?\?\?\?"/,
    "SELECT count(*) FROM activity WHERE bug_id = 43 AND added LIKE 'Crash %'",
  ],
  "a bug without its emoji": [
    CREATE,
    sql(`UPDATE bugs SET summary = 'Crash ???? again' WHERE id = ${LAST_BUG}`),
    /summary of bug \d+ is stored as "Crash \?\?\?\? again"/,
    "SELECT count(*) FROM bugs WHERE summary LIKE 'Crash % again'",
  ],
  "a bug that was retitled": [
    CREATE,
    retitle,
    /summary of bug \d+ is stored as "Ghosts"/,
    "SELECT count(*) FROM bugs WHERE summary = 'Ghosts'",
  ],
  "an attachment without its emoji": [
    `attachment add 43 ${import.meta.filename} --summary 'Trace 👻'`,
    sql("UPDATE attachments SET summary = 'Trace ????' WHERE id = (SELECT max(id) FROM attachments)"),
    /summary of attachment \d+ is stored as "Trace \?\?\?\?"/,
    "SELECT count(*) FROM attachments WHERE summary = 'Trace ????'",
  ],
  "the summary of an attachment without its emoji": [
    "attachment update 3 --summary 'Trace 👻' --is-patch yes",
    sql("UPDATE attachments SET summary = 'Trace ????' WHERE id = 3"),
    /summary of attachment 3 is stored as "Trace \?\?\?\?"/,
    "SELECT count(*) FROM activity WHERE attachment_id = 3 AND added = 'Trace 👻'",
  ],
  "an attachment that was made private": [
    `attachment add 43 ${import.meta.filename} --summary 'Trace 👻'`,
    sql("UPDATE attachments SET is_private = 1 WHERE id = (SELECT max(id) FROM attachments)"),
    /is_private of attachment \d+ is stored as true/,
    "SELECT count(*) FROM attachments WHERE summary LIKE 'Trace %'",
  ],
};

/** Writes that nothing proves: what is shown of what may be their effect. */
const OPEN: Readonly<Record<string, readonly [line: string, Meanwhile, said: RegExp]>> = {
  "a comment that was edited": [
    COMMENT,
    sql(`UPDATE comments SET text = 'Withdrawn.' WHERE id = ${LAST_COMMENT}`),
    /comment \d+ \(#\d+ of \S+\) by \S+: "Withdrawn\."/,
  ],
  "a comment on a bug that was hidden": [COMMENT, hide("43"), /not authorized to access bug #43/],
  "a bug with another description": [
    CREATE,
    sql(`UPDATE comments SET text = 'Withdrawn.' WHERE id = ${LAST_COMMENT}`),
    /bug \d+ "Crash 👻 again", filed \S+/,
  ],
  "a bug that was hidden": [CREATE, hide(LAST_BUG), /it was not found on the tracker/],
};

function lost(meanwhile: Meanwhile, isKeyed: boolean, line: string) {
  const holder: { tracker?: FaultyTracker } = {};
  return ran(
    line,
    {
      isKeyed,
      write: once(async (incident) => {
        await incident.apply();
        if (holder.tracker) await meanwhile(holder.tracker);
        FATES.resetBefore(incident);
      }),
    },
    (tracker) => Object.assign(holder, { tracker }),
  );
}

describe.each([
  ["without idempotency keys", false],
  ["with idempotency keys", true],
])("C29 a lost response, %s:", (_, isKeyed) => {
  test.each(Object.entries(FOUND))(
    "%s is found and reported, and not sent again",
    async (_name, [line, then, said, sql]) => {
      const run = await lost(then, isKeyed, line);
      expect(run).toMatchObject({ code: 0, err: expect.stringContaining("verified as applied after a lost response") });
      if (!isKeyed) expect(run.err.match(new RegExp(said, "g"))).toHaveLength(1); // a tracker with keys repeats its response
      expect(run.tracker.count(sql)).toBe(1);
    },
  );
});

test.each(Object.entries(OPEN))(
  "C29 without idempotency keys, %s is of unknown outcome, with the candidates",
  async (_, [line, then, said]) => {
    const run = await lost(then, false, line);
    expect(run).toMatchObject({ code: 9, err: expect.stringMatching(said) });
    const again = await run.again(`job send ${jobIn(run.err)}`);
    expect(again).toMatchObject({ code: 9, err: expect.stringMatching(said) });
    expect(run.tracker.writes()).toHaveLength(1);
  },
);
