import { layBasis } from "../setup/basis.ts";
import { applySetup } from "../setup/setup.ts";
import type { Store } from "../store/store.ts";

/** The login of the owner of a tracker of one's own, who may do everything in it. */
const OWNER = "owner@localhost";

/** Fills a tracker of one's own for the first day: one product to file bugs in, and its owner. Done once. */
export function fillLocal(store: Store): void {
  if (isFilled(store)) return;
  store.transaction("write", () => {
    if (isFilled(store)) {
      return; // another program was faster
    }
    layBasis(store);
    applySetup(store, {
      users: [{ login: OWNER, real_name: "Owner", groups: ["admin"] }],
      parameters: { maintainer: OWNER, requirelogin: "1", header_api_keys: "1", useqacontact: "0" },
      keywords: [
        { name: "crash", description: "The program stops" },
        { name: "regression", description: "It worked before" },
      ],
      products: [
        {
          name: "Project",
          description: "Rename it, or add products of your own",
          versions: ["unspecified"],
          components: [{ name: "General", description: "Everything", default_assignee: OWNER }],
        },
      ],
      flag_types: [{ name: "needinfo", description: "Somebody is asked for something" }],
    });
  });
}

function isFilled(store: Store): boolean {
  return store.get("SELECT id FROM users LIMIT 1") !== undefined;
}
