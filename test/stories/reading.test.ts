import { describe, expect, test } from "vitest";
import { READING_WAYS, type Scene } from "./scene.ts";

/** Command lines as a session shows them: the line (with `tty:` on a terminal), what it said, and what other code than 0. */
async function session(scene: Scene, lines: readonly string[]): Promise<string> {
  const told: string[] = [];
  for (const line of lines) {
    const isOnTerminal = line.startsWith("tty: ");
    const { code, out, err } = await scene.say("tomas", line.replace("tty: ", ""), isOnTerminal);
    const anywhere = out.replace(/^Address .*\n/m, ""); // only a tracker on the network has one
    told.push(`$ bt ${line}\n${anywhere}${err}${code === 0 ? "" : `=> ${code}\n`}`);
  }
  return told.join("\n");
}

describe.each(READING_WAYS)("a morning of reading %s", (_way, open) => {
  test("search", async () => {
    const lines = [
      "bug search --status IN_PROGRESS --priority High --sort id --fields id,priority,summary",
      "bug search is:open priority>=High component:Editor --fields id,status,assigned_to",
      "bug search -a @me --status @open --count",
      "bug search --product Lantern --status @open --by component",
      "bug search --status confirmedd",
      "bug search --summary 'no such thing' --fail-empty",
    ];
    expect(await session(await open(), lines)).toMatchInlineSnapshot(`
      "$ bt bug search --status IN_PROGRESS --priority High --sort id --fields id,priority,summary
      5	High	Opening a library of 90,000 photos takes four minutes
      18	High	Thumbnails of removed photos are never cleaned up
      21	High	A new catalogue: photos and albums have ids of their own
      27	High	Editing a photo in a shared album changes it for everybody without asking
      29	High	Import stops at the first unreadable file and says nothing
      34	High	Uploads over slow lines are given up after 30 seconds

      $ bt bug search is:open priority>=High component:Editor --fields id,status,assigned_to
      27	IN_PROGRESS	mei@example.org
      15	CONFIRMED	mei@example.org

      $ bt bug search -a @me --status @open --count
      4

      $ bt bug search --product Lantern --status @open --by component
      Library	7
      Editor	6
      Import & Export	5

      $ bt bug search --status confirmedd
      bt: unknown status "confirmedd"
      hint: did you mean CONFIRMED? others: UNCONFIRMED, IN_PROGRESS, RESOLVED, VERIFIED
      => 2

      $ bt bug search --summary 'no such thing' --fail-empty
      bt: no bugs match
      => 1
      "
    `);
  });

  test("one bug", async () => {
    const lines = [
      "tty: bug get 49",
      "bug get 49 --fields id,status,keywords,flags --json",
      "bug get 99999",
      "bug get 12 99999 49 --format ids",
    ];
    expect(await session(await open(), lines)).toMatchInlineSnapshot(`
      "$ bt tty: bug get 49
      #49  Memory grows by the size of every photo while importing
      CONFIRMED · Highest · critical

      Product     Lantern › Import & Export
      Version     main
      Platform    All
      Assignee    Oluwaseun Ade <seun@example.org>
      QA contact  Jonas Weber <jonas@example.org>
      Reporter    Priya Nair <priya@example.org>
      CC          ada@example.org, seun@example.org, tomas@example.org
      Created     21 hours ago · 2026-11-19 14:24 UTC
      Changed     9 hours ago · 2026-11-20 02:24 UTC
      Keywords    perf, regression
      Whiteboard  [blocks the beta]
      Flags       needinfo? requested from seun@example.org by priya@example.org 21 hours ago
      Build       main-2231
      Last seen   19 hours ago · 2026-11-19 16:48 UTC
      Channel     nightly

      49.0  priya@example.org  21 hours ago · 2026-11-19 14:24 UTC
        2,000 photos of 20 MB: Lantern has 9 GB at the end. Nothing is given back until it is closed.

      no comments

      $ bt bug get 49 --fields id,status,keywords,flags --json
      [{"id":49,"status":"CONFIRMED","keywords":["perf","regression"],"flags":[{"id":24,"name":"needinfo","status":"?","creation_date":"2026-11-19T14:24:00Z","modification_date":"2026-11-19T14:24:00Z","requestee":"seun@example.org","setter":"priya@example.org","type_id":1}]}]

      $ bt bug get 99999
      bt: Bug #99999 does not exist.
      => 5

      $ bt bug get 12 99999 49 --format ids
      12
      49
      bt: 1 of 3 bugs could not be shown
          99999: not found
      => 10
      "
    `);
  });

  test("its history and comments", async () => {
    const lines = [
      "tty: bug history 49",
      "bug history 12 --json",
      "tty: comment list 12",
      "comment list 12 --new-since 2026-04-25 --fields count,creator,text",
      "comment get c:36 --json",
      "tag search form",
    ];
    expect(await session(await open(), lines)).toMatchInlineSnapshot(`
      "$ bt tty: bug history 49
      #49  Memory grows by the size of every photo while importing

      priya@example.org  21 hours ago · 2026-11-19 14:24 UTC
        CC          + seun@example.org
        Flags       + needinfo?(seun@example.org)

      tomas@example.org  9 hours ago · 2026-11-20 02:24 UTC
        CC          + ada@example.org  + tomas@example.org
        Whiteboard  + [blocks the beta]

      $ bt bug history 12 --json
      [{"id":12,"alias":[],"history":[{"when":"2026-04-26T12:00:00Z","who":"priya@example.org","changes":[{"field_name":"work_time","removed":"","added":"3.00"}]},{"when":"2026-04-27T12:00:00Z","who":"priya@example.org","changes":[{"field_name":"resolution","removed":"","added":"FIXED"},{"field_name":"status","removed":"CONFIRMED","added":"RESOLVED"},{"field_name":"target_milestone","removed":"---","added":"1.5"}]}]}]

      $ bt tty: comment list 12
      12.0  priya@example.org  6 months ago · 2026-04-24 12:00 UTC
        The length is right, the end is missing. Seen behind two different proxies, and without any.

      12.1  priya@example.org  6 months ago · 2026-04-26 12:00 UTC
        The compressor is closed too early.

      $ bt comment list 12 --new-since 2026-04-25 --fields count,creator,text
      1	priya@example.org	The compressor is closed too early.

      $ bt comment get c:36 --json
      [{"id":36,"bug_id":12,"attachment_id":null,"count":1,"text":"The compressor is closed too early.","creator":"priya@example.org","time":"2026-04-26T12:00:00Z","creation_time":"2026-04-26T12:00:00Z","is_private":false,"tags":[]}]

      $ bt tag search form
      format
      "
    `);
  });

  test("fields and their values", async () => {
    const lines = [
      "field list --custom",
      "tty: field get status",
      "field values priority",
      "field values component --product Lantern",
      "field values nosuch",
      "api /rest/field/bug/resolution/values",
    ];
    expect(await session(await open(), lines)).toMatchInlineSnapshot(`
      "$ bt field list --custom
      60	cf_crash_signature	Crash signature	long-text	false	true	
      61	cf_devices	Devices	multi-select	false	true	camera,card reader,phone,network drive
      62	cf_ship_by	Ship by	date	false	true	
      63	cf_impact	Impact	select	false	true	---,one person,some people,everybody
      64	cf_build	Build	text	false	true	
      65	cf_upstream	Upstream bug	bug-id	false	true	
      66	cf_last_seen	Last seen	date-time	false	true	
      67	cf_points	Points	integer	false	true	
      68	cf_endpoint	Endpoint	text	false	true	
      69	cf_channel	Channel	select	false	true	---,nightly,release

      $ bt tty: field get status
      status  Status
      select

      ID             6
      Internal name  bug_status

      VALUE        SORT KEY  OPEN  CAN CHANGE TO
      (new bug)           0  yes   UNCONFIRMED, CONFIRMED, IN_PROGRESS
      UNCONFIRMED       100  yes   CONFIRMED, IN_PROGRESS, RESOLVED
      CONFIRMED         200  yes   IN_PROGRESS, RESOLVED
      IN_PROGRESS       300  yes   CONFIRMED, RESOLVED
      RESOLVED          400  no    UNCONFIRMED, CONFIRMED, VERIFIED
      VERIFIED          500  no    UNCONFIRMED, CONFIRMED

      $ bt field values priority
      Highest
      High
      Normal
      Low
      Lowest
      ---

      $ bt field values component --product Lantern
      Editor
      Import & Export
      Installer
      Library
      Slideshow

      $ bt field values nosuch
      bt: unknown field "nosuch"
      hint: bt field list shows the fields
      => 5

      $ bt api /rest/field/bug/resolution/values
      {"values":["","FIXED","INVALID","WONTFIX","DUPLICATE","WORKSFORME"]}
      "
    `);
  });
});
