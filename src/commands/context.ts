import type { Catalog } from "../api/catalog.ts";
import type { Write } from "../api/delivery/write.ts";
import type { Writing } from "../api/delivery/writing.ts";
import type { ServerZone } from "../api/server-zone.ts";
import type { Io } from "../io.ts";
import type { Sheet } from "../pager.ts";
import type { Secret } from "../secret.ts";
import type { Format } from "../view/format.ts";
import type { View } from "../view/view.ts";
import type { AuthStyle } from "../wire/auth-style.ts";
import type { Exchange, Json, JsonObject, Reply, Request } from "../wire/exchange.ts";
import type { Field } from "../wire/field.ts";
import type { Tree } from "./verb.ts";

/** What a verb gets from outside: the process as far as it may be seen, the tracker, and how the reader wants the data. */
export type Context = {
  readonly io: Io;
  readonly tracker: Tracker;
  readonly output: OutputWish;
  readonly settings: Settings;
  readonly tree: Tree; // the commands themselves, for completion
  /** Files with a text that the person has written; they go when the command ends well, else its error names them. */
  readonly drafts: string[];
  /** A fresh place to write data to; on a terminal it pages what does not fit. */
  readonly sheet: () => Sheet;
};

/** What the configuration says where no flag does; the names are those of `bt config`. */
export type Settings = {
  readonly format?: string;
  readonly color?: string;
  readonly pager?: string;
  readonly utc?: boolean;
  readonly fields?: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
  readonly nobody?: readonly string[];
  readonly server_zone?: string;
  readonly product?: string;
  readonly component?: string;
  readonly version?: string;
  readonly op_sys?: string;
  readonly platform?: string;
  readonly editor?: string;
  readonly browser?: string;
};

/** The tracker that this command talks to; nothing is opened or read before the first use. */
export type Tracker = {
  /** `https://bugs.example.org/bugzilla`, `local:` or `demo:`. */
  readonly address: string;
  /** Sends one request and gives the JSON of its answer; an error answer becomes a `BtError`. */
  readonly ask: (request: Request) => Promise<Json>;
  /** The last request, for an error about the shape of its answer: whoever reads an answer does not know what was asked. */
  readonly lastAsked: () => string | undefined;
  /** The one way in which a write leaves: at most once, kept in the journal, its outcome found out when the answer is lost. */
  readonly deliver: (write: Write) => Promise<Json>;
  /** The same for jobs of many requests. */
  readonly writing: () => Promise<Writing>;
  /** The raw way, for `bt api`, and the check that throws when a reply is an error. */
  readonly exchange: Exchange;
  readonly check: (reply: Reply, request: Request) => void;
  /** What the tracker says of its fields, from the cache while that is fresh: as it came, and ready for look-ups. */
  readonly fields: () => Promise<readonly Field[]>;
  readonly catalog: () => Promise<Catalog>;
  /** The same asked anew, when the cached one may be the reason for refusing a name; undefined when it already was. */
  readonly freshCatalog: () => Promise<Catalog | undefined>;
  /** The same from the cache alone, whatever its age, or from a tracker in this process; for completion. */
  readonly cachedCatalog: () => Promise<Catalog | undefined>;
  /** The requester's own login, when it is known. */
  readonly login: () => Promise<string | undefined>;
  /** The tracker under any credential, for `bt auth`; undefined for one in this process, which asks for none. */
  readonly access: Access | undefined;
  /** The zone in which the tracker reads times that carry none; found out with a few requests at the first use. */
  readonly zone: () => Promise<ServerZone>;
  /** Facts about this tracker that one run leaves for the next, such as the length of its longest page. */
  readonly memory: Memory;
};

/** A tracker on the network as one who logs in sees it. */
export type Access = {
  /** The tracker asked with a key or token in one style, or anonymously. The credential is hidden from all output first. */
  readonly askAs: (credential?: KeyInStyle) => (request: Request) => Promise<Json>;
  /** The key that there is for it, by the sources in their order; what it says of itself holds for it alone. */
  readonly key: () => Promise<KnownKey | undefined>;
  /** Hides a password from all output; a key in a style is hidden anyway. */
  readonly hide: (password: Secret) => void;
};

/** A key or token and the way to show it. */
export type KeyInStyle = { readonly style: AuthStyle; readonly key: Secret };

/** A key with what is known of it. */
export type KnownKey = {
  readonly key: Secret;
  readonly source: string;
  readonly boundTo: string;
  readonly style?: AuthStyle | undefined; // undefined: not known yet
  readonly user?: string | undefined;
};

/** A small store of facts per tracker; reading may find nothing and writing may be lost. */
export type Memory = {
  readonly read: (name: string) => Promise<JsonObject | undefined>;
  readonly write: (name: string, facts: JsonObject) => Promise<void>;
};

/** How the reader wants the data: the format when one was named, the fields, and how text is to be shown. */
export type OutputWish = {
  readonly format: Format | undefined;
  readonly fields: readonly string[] | undefined;
  readonly view: View;
};
