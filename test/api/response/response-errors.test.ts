import { expect, test } from "vitest";
import { errorMeaning } from "../../../src/api/response/response-errors.ts";
import { ERROR_CODES } from "../../../src/wire/error-codes.ts";
import type { Request } from "../../../src/wire/exchange.ts";

const READ: Request = { method: "GET", path: "/rest/bug/7", query: [], operation: "Get Bug" };

test("the kind and the hint of each code; a wrong value is refused without one", () => {
  const meanings: string[] = [];
  for (const [name, code] of Object.entries(ERROR_CODES)) {
    const { kind, hint } = errorMeaning(code, "", { request: READ, status: 400 });
    if (kind !== "refused" || hint) meanings.push(`${code} ${name}: ${kind}${hint ? `, ${hint}` : ""}`);
  }
  expect(meanings.join("\n")).toMatchInlineSnapshot(`
    "51 object_does_not_exist: missing
    100 improper_bug_id_field_value: missing
    101 bug_id_does_not_exist: missing
    102 bug_access_denied: auth, bt auth status shows which user you are authenticated as
    106 product_access_denied: auth, bt field values product lists the products visible to you
    109 product_edit_denied: auth, bt auth status shows which user you are authenticated as
    110 comment_is_private: auth, bt auth status shows which user you are authenticated as
    111 comment_id_invalid: missing
    113 user_not_insider: auth, bt auth status shows which user you are authenticated as
    115 illegal_change: auth, bt auth status shows which user you are authenticated as
    120 group_restriction_not_allowed: refused, bt group list shows the groups of the tracker
    300 invalid_login_or_password: auth, bt auth login, or set BT_API_KEY
    301 account_disabled: auth
    302 auth_invalid_email: auth
    304 auth_failure: auth, bt auth status shows which user you are authenticated as
    305 password_not_complex: auth
    306 api_key_not_valid: auth, create a new API key in the tracker's preferences, or take the one that bt serve printed, then: bt auth login, or set BT_API_KEY
    307 auth_invalid_token: auth
    410 login_required: auth, bt auth login, or set BT_API_KEY
    505 user_access_by_id_denied: auth, bt auth login, or set BT_API_KEY
    805 group_cannot_view: auth, bt auth status shows which user you are authenticated as
    32614 rest_invalid_resource: missing, bt api GET /rest/version shows the tracker's version
    100500 internal: busy, the error is in the tracker; see its log"
  `);
});

test("no two names have one code", () => {
  const codes = Object.values(ERROR_CODES);
  expect([...new Set<number>(codes)]).toEqual(codes);
});
