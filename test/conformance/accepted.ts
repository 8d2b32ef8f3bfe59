/** A request that stands in for a recorded one, so that the conversation goes on from the state that was recorded. */
export type StandIn = {
  readonly as: string;
  readonly method: "POST" | "PUT";
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly then?: string; // a statement that makes what no request can
};

/**
 * Exchanges that the tracker answers otherwise on purpose, and why. With `instead` the exchange itself is asked of a copy of
 * the tracker, and what `instead` says is done to the tracker.
 */
export type Accepted = {
  readonly area: string;
  readonly names: readonly string[];
  readonly because: string;
  readonly source: Source;
  readonly instead?: readonly StandIn[];
};

/**
 * What makes the difference: the specification, a fault of the recorded server, chance there, something around its
 * interface that is not imitated, or a part of it that this tracker goes without.
 */
export type Source = "specification" | "fault" | "chance" | "imitation" | "scope";

type Reason = Pick<Accepted, "because" | "source">;

function bySpecification(because: string): Reason {
  return { because, source: "specification" };
}

function byFault(because: string): Reason {
  return { because, source: "fault" };
}

function byChance(because: string): Reason {
  return { because, source: "chance" };
}

function byImitation(because: string): Reason {
  return { because, source: "imitation" };
}

function byScope(because: string): Reason {
  return { because, source: "scope" };
}

const ADMINISTRATION = "products, components, flag types and users are administered by bt admin";
const PATH_AND_IDS = bySpecification(
  "the specification combines the path with `ids`, the recorded server lets `ids` replace the path",
);
const WRONG_SHAPE = byFault(
  "a value of the wrong shape is refused with what is wrong, not with a failure inside the server",
);
const CLOSED_FILING = bySpecification(
  "the specification wants a resolution other than DUPLICATE for a bug that is filed closed",
);
const COUNT = byFault(
  "a comment has one number however it is asked for; the recorded server miscounts those of one second",
);
const RANDOM_CUSTOM = byChance(
  "exclude_fields=_custom leaves all custom fields out; on the recorded server a random part of them, another each time",
);
const JSON_ONLY = byImitation("a body is read as JSON, and a web form is none; bt serve refuses other content types");
const LOST_BODY = byFault(
  "a body that cannot be read is refused, not lost with an empty answer or a failure inside the server",
);
const WEB_SERVER = byImitation("the web server in front of the recorded one refuses this with a page of its own");
const JSON_WORDS = byImitation(
  "what is wrong with a body, and where, is not told in the words of the recorded server's parser",
);
const SCRIPT = byImitation("an answer is JSON and no script (JSONP), whatever `callback` is asked for");
const ALIAS_IN_PATH = bySpecification(
  "the specification names a bug in the path by any alias; the recorded server has none with a slash or a percent sign",
);
const VISITS = byScope("last visits are not kept");
const RANDOM_TAGS = byChance("which tags are left out beyond the limit is random on the recorded server");

function whiteboard(id: number, text: string): StandIn {
  return {
    as: "alice",
    method: "PUT",
    path: `/rest/bug/${id}`,
    body: { whiteboard: text },
  };
}

function closedBug(then: string): StandIn {
  return {
    as: "alice",
    method: "POST",
    path: "/rest/bug",
    body: {
      ...{ product: "Firefox", component: "General", version: "121", op_sys: "All", platform: "All" },
      ...{ summary: "Toolbar vanishes", status: "RESOLVED", resolution: "FIXED" },
    },
    then,
  };
}

/** Every difference that is accepted; one that no longer differs has no business here. */
export const ACCEPTED: readonly Accepted[] = [
  {
    area: "bug-search",
    names: ["by-resolution-empty-string", "resolution-empty-only-refused"],
    ...bySpecification("the specification finds open bugs by an empty resolution, the recorded server ignores it"),
  },
  {
    area: "bug-update",
    names: ["ids-in-body-replace-the-path"],
    ...PATH_AND_IDS,
    instead: [whiteboard(20003, "only b")],
  },
  { area: "bug-update", names: ["ids-in-body-scalar"], ...PATH_AND_IDS, instead: [whiteboard(20003, "scalar")] },
  {
    area: "bug-update",
    names: ["ids-in-body-same-bug-twice"],
    ...bySpecification(`${PATH_AND_IDS.because}; a bug named twice is changed once and its change is told`),
    instead: [whiteboard(20003, "twice")],
  },
  { area: "bug-update", names: ["ids-in-body-empty-array"], ...PATH_AND_IDS, instead: [] },
  {
    area: "bug-update",
    names: ["ids-in-query-string"],
    ...PATH_AND_IDS,
    instead: [whiteboard(20003, "from query")],
  },
  {
    area: "bug-update",
    names: [
      "cc-add-as-string-in-object",
      "cc-array-instead-of-object",
      "cc-string-instead-of-object",
      "comment-as-string",
      "comment-is-private-array",
      "custom-multi-add-form-is-not-supported",
      "depends-on-array-instead-of-object",
      "keywords-array-instead-of-object",
    ],
    ...WRONG_SHAPE,
  },
  {
    area: "bug-create",
    names: ["alias-same-twice-in-one-request"],
    ...byFault("an alias said twice is one alias, not a failure inside the server"),
  },
  { area: "bug-create", names: ["flags-as-object-instead-of-array"], ...WRONG_SHAPE },
  {
    area: "bug-create",
    names: ["status-closed-without-resolution-when-workflow-allows"],
    ...CLOSED_FILING,
    instead: [closedBug("UPDATE bugs SET resolution = '' WHERE id = 20071")],
  },
  {
    area: "bug-create",
    names: ["status-closed-with-duplicate-when-workflow-allows"],
    ...CLOSED_FILING,
    instead: [closedBug("UPDATE bugs SET resolution = 'DUPLICATE' WHERE id = 20072")],
  },
  {
    area: "comments",
    names: ["create-with-work-time-as-outsider-is-ignored"],
    ...bySpecification(
      "the specification ignores hours from those who do not track time, the recorded server refuses the comment",
    ),
    instead: [],
  },
  {
    area: "comments",
    names: ["create-comment-as-object"],
    ...WRONG_SHAPE,
    instead: [
      { as: "alice", method: "POST", path: "/rest/bug/20002/comment", body: { comment: "HASH(0x55d36d021120)" } },
    ],
  },
  {
    area: "comments",
    names: ["get-by-comment-id-private-as-insider", "get-by-comment-ids-query"],
    ...COUNT,
  },
  {
    area: "comment-tags",
    names: ["get-comment-shows-tags"],
    ...COUNT,
  },
  { area: "comment-tags", names: ["add-as-string-instead-of-array"], ...WRONG_SHAPE },
  {
    area: "comment-tags",
    names: ["search-default-limit-is-7", "search-limit-0-means-default"],
    ...bySpecification(`the specification gives 10 tags by default, the recorded server 7; ${RANDOM_TAGS.because}`),
  },
  { area: "comment-tags", names: ["search-percent-is-a-wildcard"], ...WEB_SERVER },
  { area: "comment-tags", names: ["search-limit-2"], ...RANDOM_TAGS },
  {
    area: "comment-tags",
    names: ["search-underscore-is-a-wildcard"],
    ...bySpecification(
      "the specification finds tags that contain the text; on the recorded server _ stands for any sign",
    ),
  },
  {
    area: "comment-tags",
    names: ["search-utf8"],
    ...byFault(
      "the specification finds tags that contain the text; the recorded server misreads letters outside ASCII",
    ),
  },
  {
    area: "groups",
    names: ["get-by-path-id-is-not-routed", "get-by-path-name-is-not-routed"],
    ...bySpecification("the specification has GET /rest/group/{id_or_name}, the recorded server does not"),
  },
  {
    area: "groups",
    names: ["update-name-of-two-groups-is-error"],
    ...bySpecification("one name for two groups is refused, not a failure inside the server"),
  },
  { area: "groups", names: ["update-ids-scalar-in-body"], ...WRONG_SHAPE },
  { area: "auth", names: ["jsonp-with-key"], ...SCRIPT },
  {
    area: "auth",
    names: ["key-in-body-and-other-in-query-who-did-it"],
    ...byFault("two changes of a field in one second are told as two, not run together into «k1 k2»"),
  },
  {
    area: "bug-get",
    names: ["private-by-alias-as-outsider"],
    ...byFault("the alias of a bug that the requester may not see answers as unknown; the recorded server confirms it"),
  },
  {
    area: "bug-get",
    names: ["by-alias-utf8"],
    ...byFault("an alias in the path is an alias; the recorded server misreads letters outside ASCII"),
  },
  {
    area: "bug-get",
    names: ["by-alias-with-percent-encoded-slash", "by-alias-with-percent-and-plus"],
    ...ALIAS_IN_PATH,
  },
  { area: "bug-get", names: ["accept-javascript-with-callback-gets-jsonp"], ...SCRIPT },
  {
    area: "bug-get",
    names: ["exclude-fields-custom-drops-a-random-part", "exclude-fields-custom-drops-a-random-part-again"],
    ...RANDOM_CUSTOM,
  },
  { area: "bug-search", names: ["exclude-fields"], ...RANDOM_CUSTOM },
  {
    area: "bug-search",
    names: ["order-priority-then-severity"],
    ...byChance("bugs that are equal in the order follow by number; on the recorded server in any order"),
  },
  {
    area: "errors",
    names: ["json-array-instead-of-object", "json-number", "json-string-instead-of-object"],
    ...LOST_BODY,
  },
  {
    area: "errors",
    names: [
      "content-type-form",
      "content-type-form-on-post",
      "content-type-missing",
      "content-type-missing-on-post",
      "content-type-multipart",
    ],
    ...JSON_ONLY,
    instead: [],
  },
  {
    area: "errors",
    names: ["content-type-form-fields-on-post"],
    ...JSON_ONLY,
    instead: [
      {
        as: "alice",
        method: "POST",
        path: "/rest/bug",
        body: {
          ...{ product: "Firefox", component: "General", version: "121", op_sys: "All", platform: "All" },
          summary: "form",
        },
      },
    ],
  },
  {
    area: "errors",
    names: ["internal-error-comes-with-http-200", "param-scalar-is-array", "param-scalar-is-object"],
    ...WRONG_SHAPE,
  },
  { area: "errors", names: ["jsonp-bad-callback", "jsonp-error-has-normal-status"], ...SCRIPT },
  {
    area: "errors",
    names: ["bad-json-syntax", "bad-json-on-put", "json-with-bom", "json-with-trailing-garbage", "content-type-xml"],
    ...JSON_WORDS,
  },
  {
    area: "errors",
    names: [
      "header-too-long",
      "outside-rest",
      "path-encoded-nul",
      "path-encoded-question-mark",
      "path-encoded-slash",
      "path-percent-encoded-percent",
      "rest-without-slash",
      "url-request-line-of-8192-bytes",
    ],
    ...WEB_SERVER,
  },
  {
    area: "auth",
    names: [
      ...["password-wrong-attempt-3", "password-wrong-attempt-4", "password-wrong-attempt-5"],
      ...["password-wrong-attempt-6", "password-right-while-locked"],
    ],
    ...byScope("five wrong passwords a minute from an address are read, and no account is locked"),
  },
  {
    area: "bug-get",
    names: ["etag-conditional-request", "accept-text-html-gets-html"],
    ...byScope("a response is JSON, without an ETag"),
  },
  {
    area: "bug-search",
    names: ["custom-old-chart-form", "email-form", "email-form-exact-any-role"],
    ...byScope("conditions are rows; boolean charts and the form of people are refused by bt serve"),
  },
  {
    area: "errors",
    names: ["shutdown-mode", "shutdown-mode-version"],
    ...byScope("a tracker that is down does not run"),
  },
  {
    area: "errors",
    names: ["not-authorized-user-edit", "not-authorized-user-create"],
    ...byScope(ADMINISTRATION),
  },
  {
    area: "extras",
    names: [
      ...["user-create", "user-update", "user-update-group-membership", "user-create-duplicate"],
      ...["user-create-bad-email", "product-create", "product-create-without-permission", "component-create"],
      ...["flag-type-create", "classification-by-name"],
    ],
    ...byScope(ADMINISTRATION),
  },
  {
    area: "extras",
    names: [
      ...["last-visit-anonymous", "last-visit-get", "last-visit-get-empty", "last-visit-get-several"],
      ...["last-visit-update", "last-visit-as-uninvolved"],
    ],
    ...VISITS,
  },
  { area: "bug-search", names: ["custom-field-last-visit"], ...VISITS },
];
