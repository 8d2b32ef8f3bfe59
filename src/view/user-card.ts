import type { UserAccount } from "../wire/resources.ts";
import { cardRows, cardTitle } from "./card.ts";
import { plain, yesNoText } from "./text.ts";
import { groupText } from "./users.ts";
import type { View } from "./view.ts";

/** A user as a card; what the tracker did not return is left out. */
export function userCard(user: UserAccount, view: View): string {
  const title = cardTitle({ text: plain(user.name) }, { text: plain(user.real_name ?? "") }, view);
  const rows = cardRows(
    [
      { label: "ID", facts: [{ text: String(user.id) }] },
      { label: "E-mail", facts: [{ text: user.email === user.name ? "" : (user.email ?? "") }] },
      { label: "Can log in", facts: [{ text: yesNoText(user.can_login) }] },
      { label: "Barred because", facts: [{ text: user.login_denied_text ?? "" }] },
      { label: "Groups", facts: [{ text: groupText(user) }] },
    ],
    view,
  );
  return `${title}\n${rows}`;
}
