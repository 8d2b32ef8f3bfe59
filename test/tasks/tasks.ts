/** SQL on the tracker, which has a view `bug` of the bugs that Tomás sees. */
type Sql = string;

/** Facts by which a task is done. What they expect is read from the tracker as it was before the line. */
export type Facts = {
  readonly code?: "not 0" | "any"; // exit code; default: 0
  readonly file?: string; // file of the folder that counts as the output
  readonly json?: true; // the output is JSON
  readonly bugs?: Sql; // numbers of the bugs that the output lists, and of no others
  readonly isSorted?: true; // in that order
  readonly rows?: Sql; // values of each row are in one line of the output
  readonly says?: Sql; // texts in the output
  readonly lacks?: Sql; // texts that are not
  readonly bytes?: Sql; // all of the output, in base64
  readonly holds?: Sql; // true on the tracker after the line
  readonly changes?: Sql; // numbers of the bugs that differ after the line, and of no others; default: none
};

/** What somebody wants, and how to see that it was done. */
export type Task = {
  readonly task: string;
  readonly given?: string; // bash before the line
  readonly again?: string; // bash after the line, which then runs a second time: that counts
  readonly proof?: string; // bash after the line, in whose end the facts are read
  readonly done: Facts;
  readonly otherwise?: { readonly given: string; readonly done: Facts }; // the same line under other circumstances
};

const IN_SECURITY = `id IN (SELECT user_id FROM group_members JOIN groups ON groups.id = group_id
  WHERE name = 'security' AND kind = 'member')`;

/**
 * Forty tasks for somebody who has README.md and --help. They are told: bt is installed, BT_BASE_URL=demo: is exported, the
 * tracker knows you as Tomás Lind, a triager. It is noon of Friday, 20 November 2026, in UTC. Each task begins on a fresh demo, in an
 * empty folder but for the files that the task names, and is one line of bash without a terminal. There is jq.
 */
export const TASKS: readonly Task[] = [
  {
    task: "Find out whether you are logged in, and as whom.",
    done: {
      says: "SELECT 'tomas@example.org'",
      lacks: "SELECT login FROM users WHERE login <> 'tomas@example.org'",
    },
  },
  {
    task: "List the open bugs of Harbor that have the priority High.",
    done: { bugs: "SELECT id FROM bug WHERE product = 'Harbor' AND is_open AND priority = 'High'" },
  },
  {
    task: "Which bugs that Lucía Romero reported are still open?",
    done: { bugs: "SELECT id FROM bug WHERE creator = 'lucia@example.org' AND is_open" },
  },
  {
    task: "How many open bugs does each product have?",
    done: { rows: "SELECT product, count(*) FROM bug WHERE is_open GROUP BY product" },
  },
  {
    task: "List the five open bugs in which something happened last, the latest first.",
    done: { bugs: "SELECT id FROM bug WHERE is_open ORDER BY last_change_time DESC LIMIT 5", isSorted: true },
  },
  {
    task: "Which open bugs have to be finished before Christmas (25 December 2026)? Those that are late count, too.",
    done: { bugs: "SELECT id FROM bug WHERE is_open AND deadline < '2026-12-25'" },
  },
  {
    task: "Find every bug, fixed or not, in whose summary or comments somebody wrote of a »card reader«.",
    done: {
      bugs: `SELECT id FROM bug WHERE summary LIKE '%card reader%'
        OR id IN (SELECT bug_id FROM comments WHERE text LIKE '%card reader%')`,
    },
  },
  {
    task: "Which bugs were closed since 22 August 2026 and have stayed so?",
    done: {
      bugs: `SELECT id FROM bug WHERE NOT is_open AND id IN (SELECT bug_id FROM activity
        WHERE field = 'bug_status' AND added = 'RESOLVED' AND time >= '2026-08-22')`,
    },
  },
  {
    task: "Is there anything that waits for you today: your own bugs, and what others asked of you?",
    done: {
      rows: `SELECT id, summary FROM bug WHERE is_open AND (assignee = 'tomas@example.org' OR id IN (SELECT bug_id FROM flags
        JOIN users ON users.id = requestee_id WHERE login = 'tomas@example.org'))`,
      lacks: "SELECT summary FROM bug WHERE id = 44",
    },
  },
  {
    task: "A cron job runs your line every ten minutes and mails what it prints: what changed in open bugs of Lantern since its last run.",
    again: "bt bug update 44 42 --priority High",
    done: { bugs: "SELECT 44", changes: "VALUES (42), (44)" },
  },
  {
    task: "Read all that was said on bug 5.",
    done: { says: "SELECT text FROM comments WHERE bug_id = 5" },
  },
  {
    task: "Who gave bug 18 its present priority, and on which day?",
    done: {
      says: `SELECT login FROM activity JOIN users ON users.id = user_id WHERE bug_id = 18 AND field = 'priority'
        UNION SELECT substr(time, 1, 10) FROM activity WHERE bug_id = 18 AND field = 'priority'`,
      lacks: "SELECT summary FROM bug WHERE id = 44",
    },
  },
  {
    task: "Somebody attached the log of an installer to bug 16. Save it in this folder as install.log.",
    done: { file: "install.log", bytes: "SELECT data FROM attachments WHERE bug_id = 16" },
  },
  {
    task: "File a bug of severity major in Harbor's API, version main, »Uploads stop at 2 GB«, with the text in steps.txt and Priya Nair on copy.",
    given: "echo 'Upload a film.' >steps.txt",
    done: {
      holds: `SELECT 1 FROM bug JOIN comments ON bug_id = bug.id JOIN bug_cc USING (bug_id) JOIN users ON users.id = bug_cc.user_id
        WHERE (product, component, bug.version) = ('Harbor', 'API', 'main') AND summary = 'Uploads stop at 2 GB'
        AND severity = 'major' AND trim(text, char(10)) = 'Upload a film.' AND login = 'priya@example.org'`,
      changes: "SELECT 51",
    },
  },
  {
    task: "Add to bug 44 »Seen in build 3.2.1, too.«, so that only people of the project can read it and not those who reported bugs.",
    done: {
      holds: "SELECT 1 FROM comments WHERE bug_id = 44 AND is_private AND text = 'Seen in build 3.2.1, too.'",
      changes: "SELECT 44",
    },
  },
  {
    task: "Attach the file build.log to bug 44, as »Log of the build«.",
    given: "echo ok >build.log",
    done: {
      holds: `SELECT 1 FROM attachments WHERE bug_id = 44 AND (file_name, summary, data) = ('build.log', 'Log of the build', 'b2sK')`,
      changes: "SELECT 44",
    },
  },
  {
    task: "Bug 42 is Mei Tanaka's from here on, and has to be finished by 18 December 2026.",
    done: {
      holds: "SELECT 1 FROM bug WHERE id = 42 AND assignee = 'mei@example.org' AND deadline = '2026-12-18'",
      changes: "SELECT 42",
    },
  },
  {
    task: "The Impact of bug 33 is »some people«. Enter it.",
    done: {
      holds: `SELECT 1 FROM custom_values JOIN fields ON fields.id = field_id
        WHERE bug_id = 33 AND name = 'cf_impact' AND value = 'some people'`,
      changes: "SELECT 33",
    },
  },
  {
    task: "Write [needs QA] on the whiteboard of bug 49, beside what is there.",
    done: {
      holds:
        "SELECT 1 FROM bug WHERE id = 49 AND whiteboard LIKE '%[blocks the beta]%' AND whiteboard LIKE '%[needs QA]%'",
      changes: "SELECT 49",
    },
  },
  {
    task: "Nobody is going to do what bug 41 asks for: close it with that in mind, and say »Nobody has the time.«",
    done: {
      holds: `SELECT 1 FROM bug JOIN comments ON bug_id = bug.id
        WHERE bug_id = 41 AND (status, resolution) = ('RESOLVED', 'WONTFIX') AND text = 'Nobody has the time.'`,
      changes: "SELECT 41",
    },
  },
  {
    task: "Bug 40 reports what bug 33 reported before. Close it for that reason.",
    done: {
      holds: `SELECT 1 FROM bug JOIN bug_duplicates ON bug_id = id
        WHERE bug_id = 40 AND dupe_of = 33 AND (status, resolution) = ('RESOLVED', 'DUPLICATE')`,
      changes: "VALUES (33), (40)",
    },
  },
  {
    task: "Ask Lucía Romero on bug 46 »Which version is it?«, so that the tracker keeps reminding her until she answers.",
    done: {
      holds: `SELECT 1 FROM flags JOIN flag_types ON flag_types.id = type_id JOIN users ON users.id = requestee_id
        JOIN comments USING (bug_id) WHERE bug_id = 46 AND flag_types.name = 'needinfo' AND status = '?'
        AND login = 'lucia@example.org' AND text = 'Which version is it?'`,
      changes: "SELECT 46",
    },
  },
  {
    task: "Priya Nair wants your review of bug 42. You looked at it, and all is well: grant it.",
    done: {
      holds: `SELECT group_concat(status) = '+' FROM flags JOIN flag_types ON flag_types.id = type_id
        WHERE bug_id = 42 AND name = 'review'`,
      changes: "SELECT 42",
    },
  },
  {
    task: "A minute ago you gave bug 44 the wrong priority and severity. Take that back.",
    given: "bt bug update 44 --priority Low --severity trivial",
    done: {
      holds: "SELECT 1 FROM bug WHERE id = 44 AND (priority, severity) = ('Normal', 'normal')",
      changes: "SELECT 44",
    },
  },
  {
    task: "Put yourself on the CC list of all thirty open bugs.",
    done: {
      holds: "SELECT NOT EXISTS (SELECT 1 FROM bug WHERE is_open AND NOT is_followed)",
      changes: "SELECT id FROM bug WHERE is_open AND NOT is_followed",
    },
  },
  {
    task: "All open bugs of severity enhancement are to get the priority Lowest. See what that would change, without changing anything yet.",
    done: {
      bugs: "SELECT id FROM bug WHERE is_open AND severity = 'enhancement'",
      says: "SELECT 'Lowest'",
    },
  },
  {
    task: "Your manager wants all bugs of the Handbook, old ones too, in a spreadsheet: write handbook.csv.",
    done: { file: "handbook.csv", bugs: "SELECT id FROM bug WHERE product = 'Handbook'" },
  },
  {
    task: "sheet.csv came back from a meeting, with the columns id and priority. Bring its priorities into the tracker.",
    given: "printf 'id,priority\\n44,High\\n42,Low\\n48,Highest\\n' >sheet.csv",
    done: {
      holds: "SELECT count(*) = 2 FROM bug WHERE (id, priority) IN (VALUES (44, 'High'), (42, 'Low'))",
      changes: "VALUES (42), (44)",
    },
  },
  {
    task: "For a program of yours: number and summary of all open bugs of priority Highest, as JSON.",
    done: {
      json: true,
      rows: "SELECT id, summary FROM bug WHERE is_open AND priority = 'Highest'",
      bugs: "SELECT id FROM bug WHERE is_open AND priority = 'Highest'",
    },
  },
  {
    task: "For a script: print »no such bug« if there is no bug 999, but not if the tracker merely cannot be reached.",
    done: { code: "any", says: "SELECT 'no such bug'" },
    otherwise: {
      given: "export BT_BASE_URL=http://127.0.0.1:1",
      done: { code: "any", lacks: "SELECT 'no such bug'" },
    },
  },
  {
    task: "A step of CI is to fail as long as there is an open bug of severity blocker.",
    done: { code: "not 0" },
    otherwise: { given: "bt bug close 48", done: {} },
  },
  {
    task: "A job that failed runs your line each night. In the first night it is to file »Nightly failed« in Lantern, Installer, version main, with the text $LOG_URL; from then on, while that bug is open, only to add $LOG_URL to it.",
    given: "export LOG_URL=https://ci.example.org/runs/7",
    again: "export LOG_URL=https://ci.example.org/runs/8",
    done: {
      holds: `SELECT count(*) = 2 AND min(text) LIKE '%/runs/7%' AND max(text) LIKE '%/runs/8%' FROM bug
        JOIN comments ON bug_id = bug.id WHERE summary = 'Nightly failed' AND component = 'Installer'`,
      changes: "SELECT 51",
    },
  },
  {
    task: "The comment with number 1 on bug 40 is beside the point. Mark it with »off-topic«.",
    done: {
      holds: `SELECT group_concat(text) LIKE 'Which version is on your sister%' FROM comments
        JOIN comment_tags ON comment_id = id WHERE tag = 'off-topic'`,
    },
  },
  {
    task: "Which operating systems can one choose from for a bug?",
    done: {
      says: `SELECT field_values.name FROM field_values JOIN fields ON fields.id = field_id WHERE fields.name = 'op_sys'`,
      lacks: "SELECT summary FROM bug",
    },
  },
  {
    task: "Who belongs to the group security?",
    done: {
      says: `SELECT login FROM users WHERE ${IN_SECURITY}`,
      lacks: `SELECT login FROM users WHERE NOT ${IN_SECURITY}`,
    },
  },
  {
    task: "You will be in a train without a network. Take a copy of the Handbook's bugs with you, under the name train.",
    proof: "bt bug search --status @open --base-url mirror:train",
    done: { bugs: "SELECT id FROM bug WHERE product = 'Handbook' AND is_open" },
  },
  {
    task: "Start a tracker of your own for other programs on this machine, on port $PORT and with its data in team.db in this folder, and leave it running in the background.",
    proof: `while kill -0 $! && ! (exec 3<>/dev/tcp/127.0.0.1/$PORT); do :; done
      kill -0 $! && bt --base-url http://127.0.0.1:$PORT api /rest/version && test -s team.db; code=$?; kill $!; exit $code`,
    done: {},
  },
  {
    task: "You have an account on a second tracker, $TRACKER, and your API key for it is in key.txt. Log in there under the name work, so that the demo stays your usual tracker.",
    proof: "unset BT_BASE_URL; bt -P work auth status",
    done: { says: "VALUES ('tomas@example.org'), ('127.0.0.1')" },
  },
  {
    task: "From here on, `bt mine` is to list the open bugs that are assigned to you.",
    proof: "bt mine",
    done: { bugs: "SELECT id FROM bug WHERE is_open AND assignee = 'tomas@example.org'" },
  },
  {
    task: "Bash is to complete the words of bt when you press the Tab key.",
    proof: "if [ -e ~/.bashrc ]; then . ~/.bashrc; fi; complete -p bt",
    done: { says: "SELECT 'bt'" },
  },
];
