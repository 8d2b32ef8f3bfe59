import { requireField } from "../../api/catalog/catalog.ts";
import { legalValue, splitValues } from "../../api/catalog/legal-values.ts";
import { isSameLogin } from "../../api/people.ts";
import { isMirrorName } from "../../config/choose-tracker.ts";
import { usageError } from "../../errors.ts";
import { mirrorsOf } from "../../mirror/connect.ts";
import { makeMirror, removeMirror } from "../../mirror/files.ts";
import { withCatalog } from "../../session/session.ts";
import type { SharedInput } from "../input.ts";
import type { Context } from "../verb.ts";
import { runSync } from "./sync.ts";

type MirrorCreateInput = SharedInput & {
  readonly product: readonly string[];
  readonly attachments?: "none" | "all" | undefined;
};

/** `bt mirror create`: makes the file, and reads all bugs that it is to have. */
export async function createMirror(input: MirrorCreateInput, context: Context): Promise<void> {
  const { io, session } = context;
  const [name = ""] = input.args;
  if (!isMirrorName(name))
    throw usageError(`invalid name ${JSON.stringify(name)}`, "use letters, digits, dots and dashes");
  const tracker = session.address;
  const products = await namedProducts(input, context);
  const login = await loginOrNull(context);
  const same = mirrorsOf(tracker, io).find(({ facts }) => isSameLogin(facts.login, login));
  if (same)
    throw usageError(
      `the mirror ${same.name} is of this tracker and login already`,
      `bt mirror sync ${same.name} updates it; bt mirror drop ${same.name} deletes it`,
    );
  const store = makeMirror(name, { tracker, login, products, attachments: input.attachments ?? "none" }, io);
  try {
    await runSync(name, store, context);
  } finally {
    const isEmpty = store.times().size === 0 && store.facts().lastSync === null;
    store.close();
    if (isEmpty) removeMirror(name, io);
  }
}

/** Names of the products, as the tracker spells them; none for all. */
async function namedProducts({ product: texts }: MirrorCreateInput, { session }: Context): Promise<string[]> {
  return withCatalog(session, async (catalog) => {
    const field = requireField(catalog, "product");
    const names = texts.flatMap((text) => splitValues(text, field));
    return [...new Set(names.map((one) => legalValue(field, one)))];
  });
}

/** The login, null for an anonymous user. @throws BtError of kind usage if there is a key whose login is unknown */
async function loginOrNull({ session }: Context): Promise<string | null> {
  const known = await session.login();
  if (known !== undefined) return known;
  if ((await session.network?.account())?.state === "anonymous") return null;
  throw usageError("your login on this tracker is unknown", "bt auth login");
}
