import { describe, expect, test } from "vitest";
import { asked } from "../bt.ts";
import { SPECIFICATION } from "../sweeps/specification.ts";
import { onInterface, plainFacts } from "./interface.ts";

/** Fields of a line of a list of bugs. */
const LINE = "id,status,resolution,priority,severity,product,component,assigned_to,last_change_time,summary";

/** Command lines, and all requests that they send but for the list of fields. */
const REQUESTS: readonly (readonly [line: string, ...requests: readonly string[]])[] = [
  [
    "group create --name zed --description 'a group'",
    'POST /rest/group {"is_active":true,"name":"zed","description":"a group"}',
  ],
  [
    "group create --name zed --description d --user-regexp '@team$'",
    'POST /rest/group {"is_active":true,"name":"zed","description":"d","user_regexp":"@team$"}',
  ],
  [
    "group create --name zed --description d --is-active no",
    'POST /rest/group {"is_active":false,"name":"zed","description":"d"}',
  ],
  [
    "group create --name zed --description d --icon-url http://x/i.png",
    'POST /rest/group {"is_active":true,"name":"zed","description":"d","icon_url":"http://x/i.png"}',
  ],
  ["group update makers --name shapers", "GET /rest/group?names=makers", 'PUT /rest/group/1 {"name":"shapers"}'],
  [
    "group update makers --description other",
    "GET /rest/group?names=makers",
    'PUT /rest/group/1 {"description":"other"}',
  ],
  [
    "group update makers --user-regexp '@team$'",
    "GET /rest/group?names=makers",
    'PUT /rest/group/1 {"user_regexp":"@team$"}',
  ],
  ["group update makers --is-active no", "GET /rest/group?names=makers", 'PUT /rest/group/1 {"is_active":false}'],
  [
    "group update makers --icon-url http://x/i.png",
    "GET /rest/group?names=makers",
    'PUT /rest/group/1 {"icon_url":"http://x/i.png"}',
  ],
  [
    "group update makers quiet --description other",
    "GET /rest/group?names=makers&names=quiet",
    'PUT /rest/group/1 {"ids":[1,2],"description":"other"}',
  ],
  ["group list", "GET /rest/group"],
  ["group list --ids 1", "GET /rest/group?ids=1"],
  ["group list --names makers", "GET /rest/group?names=makers"],
  ["group list --membership", "GET /rest/group?membership=1"],
  ["group get makers 2", "GET /rest/group?names=makers&ids=2"],
  ["field list"],
  ["field get priority", "GET /rest/field/bug/priority"],
  ["field get 9", "GET /rest/field/bug/9"],
  ["field values priority", "GET /rest/field/bug/priority/values"],
  ["field values component --product Lamp", "GET /rest/field/bug/component"],
  ["field values component --product-id 2", "GET /rest/field/bug/component/2/values"],
  ["bug get 3", `GET /rest/bug/3?include_fields=${LINE}`],
  ["bug get case-15", `GET /rest/bug/case-15?include_fields=${LINE},alias`],
  ["bug get 3 4", `GET /rest/bug/3?include_fields=${LINE}`, `GET /rest/bug/4?include_fields=${LINE}`],
  [
    "bug get case-15 case-30",
    `GET /rest/bug/case-15?include_fields=${LINE},alias`,
    `GET /rest/bug/case-30?include_fields=${LINE},alias`,
  ],
  ["bug history 3", "GET /rest/bug/3/history"],
  ["bug history case-15", "GET /rest/bug/case-15/history"],
  ["bug history 3 4", "GET /rest/bug/3/history", "GET /rest/bug/4/history"],
  ["bug history 3 --new-since 2026-05-01T10:00Z", "GET /rest/bug/3/history?new_since=2026-05-01T10:00:00Z"],
  ["comment list 3", "GET /rest/bug/3/comment"],
  ["comment list 3 4", "GET /rest/bug/3/comment", "GET /rest/bug/4/comment"],
  ["comment list case-15", "GET /rest/bug/case-15/comment"],
  ["comment list 3 --new-since 2026-05-01T10:00Z", "GET /rest/bug/3/comment?new_since=2026-05-01T10:00:00Z"],
  ["comment get c:102", "GET /rest/bug/comment/102", "GET /rest/bug/3/comment"],
  [
    "comment get c:102 c:103",
    "GET /rest/bug/comment/102",
    "GET /rest/bug/3/comment",
    "GET /rest/bug/comment/103",
    "GET /rest/bug/4/comment",
  ],
  ["comment add 3 --comment hello", 'POST /rest/bug/3/comment {"comment":"hello"}'],
  ["comment add 3 --comment hello --is-private", 'POST /rest/bug/3/comment {"comment":"hello","is_private":true}'],
  ["comment add 3 --comment hello --work-time 1.5", 'POST /rest/bug/3/comment {"comment":"hello","work_time":1.5}'],
  ["tag search abc", "GET /rest/bug/comment/tags/abc?limit=10"],
  ["tag search abc --limit 3", "GET /rest/bug/comment/tags/abc?limit=3"],
  ["tag update 102 --add abc,def", 'PUT /rest/bug/comment/102/tags {"comment_id":102,"add":["abc","def"]}'],
  ["tag update 102 --remove abc", 'PUT /rest/bug/comment/102/tags {"comment_id":102,"remove":["abc"]}'],
  [
    "bug update 3 4 --priority Low",
    "GET /rest/bug/3?include_fields=_default,flags,id",
    "GET /rest/bug/4?include_fields=_default,flags,id",
    'PUT /rest/bug/3 {"priority":"Low"}',
    'PUT /rest/bug/4 {"priority":"Low"}',
  ],
  [
    "bug update case-15 --priority Low",
    "GET /rest/bug/case-15?include_fields=_default,flags,id,alias",
    'PUT /rest/bug/15 {"priority":"Low"}',
  ],
];

/** Flags of bug search, and the criteria that they send; what is sent with these is the same for all. */
const SEARCHES: readonly (readonly [flags: string, criteria: string])[] = [
  ["--alias case-15", "alias=case-15"],
  ["--assigned-to bo@team.test", "assigned_to=bo@team.test"],
  ["--component Bulb", "component=Bulb"],
  ["--creation-time 2026-05-01T00:10Z", "creation_time=2026-05-01T00:10:00Z"],
  ["--creator bo@team.test", "creator=bo@team.test"],
  ["--id 3,4", "id=3,4"],
  ["--last-change-time 2026-05-01T00:10Z", "last_change_time=2026-05-01T00:10:00Z"],
  ["--op-sys Linux", "op_sys=Linux"],
  ["--platform Desk", "platform=Desk"],
  ["--priority Top,Low", "priority=Top&priority=Low"],
  ["--product Lamp --product Clock", "product=Lamp&product=Clock"],
  ["--resolution ''", "resolution=&resolution=---"],
  ["--resolution FIXED", "resolution=FIXED"],
  ["--severity large", "severity=large"],
  ["--status new", "status=NEW"],
  ["--status new --limit 3 --offset 0", "status=NEW"],
  ["--summary 'loud, sharp'", "summary=loud, sharp"],
  ["--tags mine", "tags=mine"],
  ["--target-milestone next", "target_milestone=next"],
  ["--qa-contact bo@team.test", "qa_contact=bo@team.test"],
  ["--url http://pages.test/10", "url=http://pages.test/10"],
  ["--version 2", "version=2"],
  ["--whiteboard later", "whiteboard=later"],
  ["--quicksearch sharp", "quicksearch=sharp"],
];

/** Flags of a new bug beside those that every bug needs, and their part of the body. */
const CREATES: readonly (readonly [flags: string, body: string])[] = [
  ["--description text", '{"description":"text"}'],
  ["--description x --comment-is-private yes", '{"description":"x","comment_is_private":true}'],
  ["--description x --private", '{"description":"x","comment_is_private":true}'],
  ["--no-groups", '{"groups":[]}'],
  ["--op-sys Linux", '{"op_sys":"Linux"}'],
  ["--platform Desk", '{"platform":"Desk"}'],
  ["--priority Top", '{"priority":"Top"}'],
  ["--severity large", '{"severity":"large"}'],
  ["--alias one", '{"alias":["one"]}'],
  ["--assigned-to bo@team.test", '{"assigned_to":"bo@team.test"}'],
  ["--cc bo@team.test,cy@team.test", '{"cc":["bo@team.test","cy@team.test"]}'],
  ["--groups quiet", '{"groups":["quiet"]}'],
  ["--qa-contact bo@team.test", '{"qa_contact":"bo@team.test"}'],
  ["--status WORKING", '{"status":"WORKING"}'],
  ["--status DONE --resolution FIXED", '{"status":"DONE","resolution":"FIXED"}'],
  ["--target-milestone next", '{"target_milestone":"next"}'],
  ["--flags 'review?(bo@team.test)'", '{"flags":[{"name":"review","status":"?","requestee":"bo@team.test"}]}'],
  ["--field cf_room=den", '{"cf_room":"den"}'],
];

/** Flags of an update of bug 3, and the body. */
const UPDATES: readonly (readonly [flags: string, body: string])[] = [
  ["--add-alias one --remove-alias two", '{"alias":{"add":["one"],"remove":["two"]}}'],
  ["--set-alias one", '{"alias":{"set":["one"]}}'],
  ["--assigned-to bo@team.test", '{"assigned_to":"bo@team.test"}'],
  ["--add-blocks 5 --remove-blocks 6", '{"blocks":{"add":[5],"remove":[6]}}'],
  ["--set-blocks 5", '{"blocks":{"set":[5]}}'],
  ["--add-depends-on 5 --remove-depends-on 6", '{"depends_on":{"add":[5],"remove":[6]}}'],
  ["--set-depends-on 5,6", '{"depends_on":{"set":[5,6]}}'],
  ["--add-cc bo@team.test --remove-cc cy@team.test", '{"cc":{"add":["bo@team.test"],"remove":["cy@team.test"]}}'],
  ["--is-cc-accessible no", '{"is_cc_accessible":false}'],
  ["--comment hello", '{"comment":{"body":"hello"}}'],
  ["--comment hello --private", '{"comment":{"body":"hello","is_private":true}}'],
  ["--comment-is-private 102=yes", '{"comment_is_private":{"102":true}}'],
  ["--component Bulb", '{"component":"Bulb"}'],
  ["--deadline 2026-06-01", '{"deadline":"2026-06-01"}'],
  ["--dupe-of 5", '{"dupe_of":5}'],
  ["--estimated-time 4", '{"estimated_time":4}'],
  ["--flags 'review?(bo@team.test)'", '{"flags":[{"name":"review","status":"?","requestee":"bo@team.test"}]}'],
  ["--add-groups quiet --remove-groups makers", '{"groups":{"add":["quiet"],"remove":["makers"]}}'],
  ["--set-keywords loud", '{"keywords":{"set":["loud"]}}'],
  ["--op-sys All", '{"op_sys":"All"}'],
  ["--platform Desk", '{"platform":"Desk"}'],
  ["--priority Low", '{"priority":"Low"}'],
  ["--product Clock --component Hand", '{"component":"Hand","product":"Clock"}'],
  ["--qa-contact bo@team.test", '{"qa_contact":"bo@team.test"}'],
  ["--is-creator-accessible no", '{"is_creator_accessible":false}'],
  ["--remaining-time 2", '{"remaining_time":2}'],
  ["--reset-assigned-to", '{"reset_assigned_to":true}'],
  ["--reset-qa-contact", '{"reset_qa_contact":true}'],
  ["--status DONE --resolution FIXED", '{"resolution":"FIXED","status":"DONE"}'],
  [
    "--add-see-also http://x/1 --remove-see-also http://x/2",
    '{"see_also":{"add":["http://x/1"],"remove":["http://x/2"]}}',
  ],
  ["--severity large", '{"severity":"large"}'],
  ["--status WORKING", '{"status":"WORKING"}'],
  ["--summary Other", '{"summary":"Other"}'],
  ["--target-milestone next", '{"target_milestone":"next"}'],
  ["--url http://x/", '{"url":"http://x/"}'],
  ["--version 2", '{"version":"2"}'],
  ["--whiteboard text", '{"whiteboard":"text"}'],
  ["--work-time 1", '{"work_time":1}'],
  ["--field cf_room=den", '{"cf_room":"den"}'],
  ["--private --comment x", '{"comment":{"body":"x","is_private":true}}'],
];

/** The verbs that perform the operations. */
const VERBS = {
  "Create Group": "group create",
  "Update Group": "group update",
  "Get Group": "group list",
  "Bug History": "bug history",
  "Search Bugs": "bug search",
  "Create Bug": "bug create",
  "Update Bug": "bug update",
  "Get Comments": "comment list",
  "Create Comments": "comment add",
  "Search Comment Tags": "tag search",
  "Update Comment Tags": "tag update",
} as const;

const NEW = "--product Lamp --component Bulb --summary Hello --version 1";
const NEW_BODY = { product: "Lamp", component: "Bulb", summary: "Hello", version: "1" };

async function requestsOf(line: string): Promise<readonly string[]> {
  const ran = await onInterface(line, {}, { facts: plainFacts() });
  expect(ran.err.replace(/^bug 3: (?:comment added|privacy of a comment changed)\n$/, "")).toBe("");
  return asked(ran).filter((request) => request !== "GET /rest/field/bug");
}

test.each(REQUESTS)("bt %s", async (line, ...requests) => {
  expect(await requestsOf(line)).toEqual(requests);
});

test.each(SEARCHES)("bt bug search %s", async (flags, criteria) => {
  const [first] = await requestsOf(`bug search ${flags} --format ids`);
  const fields = criteria.includes("status=") ? "id,status" : "id"; // a server may ignore a status that it does not know
  expect(first).toBe(`GET /rest/bug?${criteria}&include_fields=${fields}&limit=0`);
});

test.each(CREATES)("bt bug create %s", async (flags, body) => {
  const [post] = (await requestsOf(`bug create ${NEW} ${flags}`)).filter((request) => request.startsWith("POST"));
  expect(post?.slice(0, 15)).toBe("POST /rest/bug ");
  expect(JSON.parse(post?.slice(15) ?? "")).toEqual({ ...NEW_BODY, ...JSON.parse(body) });
});

test.each(UPDATES)("bt bug update 3 %s", async (flags, body) => {
  const [read, ...others] = await requestsOf(`bug update 3 ${flags}`);
  expect(read).toBe("GET /rest/bug/3?include_fields=_default,flags,id");
  expect(others.filter((request) => request.startsWith("PUT"))).toEqual([`PUT /rest/bug/3 ${body}`]);
});

describe("every parameter of the specification is in these tables", () => {
  const lines = [
    ...REQUESTS.map(([line]) => line),
    ...SEARCHES.map(([flags]) => `bug search ${flags}`),
    ...CREATES.map(([flags]) => `bug create ${NEW} ${flags}`),
    ...UPDATES.map(([flags]) => `bug update ${flags}`),
  ];

  test.each(Object.entries(VERBS))("%s", (operation, verb) => {
    const own = lines.filter((line) => line.startsWith(verb)).join(" ");
    const { parameters = [] } = SPECIFICATION.find(({ name }) => name === operation) ?? {};
    const missing = parameters.filter(
      (name) => !new RegExp(`--(?:add-|set-)?${name.replaceAll("_", "-")}\\b`).test(own),
    );
    expect(parameters.length).toBeGreaterThan(0);
    expect(missing).toEqual([]);
  });
});
