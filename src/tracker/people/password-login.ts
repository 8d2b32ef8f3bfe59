import { Fault } from "../fault.ts";
import { prune } from "../store/prune.ts";
import type { Store } from "../store/store.ts";
import { minutesAfter } from "../times.ts";
import type { User } from "./requester.ts";
import { isPassword } from "./secret.ts";

/** One try to log in with a password. */
export type Attempt = {
  readonly user: User | undefined;
  readonly password: string;
  readonly address: string;
  readonly now: string;
};

const MOST_FAILURES = 5;
const LOCKED_MINUTES = 30;

/** The user whose password it is; a wrong one is counted, and the fifth within half an hour locks the account for that address. */
export function checkPassword(store: Store, { user, password, address, now }: Attempt): User {
  if (!user) throw wrongPassword(MOST_FAILURES);
  refuseWhenLocked(store, { user, address, now });
  const stored = store.get<{ readonly password_hash: string | null }>("SELECT password_hash FROM users WHERE id = ?", [
    user.id,
  ]);
  if (isPassword(password, stored?.password_hash ?? "")) {
    store.run("DELETE FROM failed_logins WHERE user_id = ? AND address = ?", [user.id, address]);
    return user;
  }
  prune(store, "failed_logins", now);
  store.run("INSERT INTO failed_logins (user_id, address, time) VALUES (?, ?, ?)", [user.id, address, now]);
  refuseWhenLocked(store, { user, address, now });
  throw wrongPassword(MOST_FAILURES - recentFailures(store, { user, address, now }).length);
}

type Place = { readonly user: User; readonly address: string; readonly now: string };

function refuseWhenLocked(store: Store, place: Place): void {
  const failures = recentFailures(store, place);
  const fatal = failures[MOST_FAILURES - 1];
  if (fatal !== undefined) {
    throw new Fault(
      400,
      32000,
      `Your IP (${place.address}) has been locked out of this account until ${minuteAfter(fatal)} UTC, as you have exceeded the maximum number of login attempts.`,
    );
  }
}

function recentFailures(store: Store, { user, address, now }: Place): readonly string[] {
  return store
    .all<{ readonly time: string }>(
      "SELECT time FROM failed_logins WHERE user_id = ? AND address = ? AND time > ? ORDER BY time, rowid",
      [user.id, address, minutesAfter(now, -LOCKED_MINUTES)],
    )
    .map(({ time }) => time);
}

function wrongPassword(left: number): Fault {
  const warning =
    left < MOST_FAILURES - 2
      ? ` If you do not enter the correct password after ${left} more attempt(s), you will be locked out of this account for ${LOCKED_MINUTES} minutes. To avoid being locked out, you can reset your password using the "Forgot Password" link.`
      : "";
  return new Fault(401, 300, `The login or password you entered is not valid.${warning}`);
}

function minuteAfter(time: string): string {
  return minutesAfter(time, LOCKED_MINUTES).slice(0, 16).replace("T", " ");
}
