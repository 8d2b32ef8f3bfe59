import { foreignLogin } from "../../../config/foreign-login.ts";
import { keyFromFile } from "../../../config/key.ts";
import { readSettings } from "../../../config/settings.ts";
import { BtError, usage } from "../../../errors.ts";
import { plain } from "../../../view/text.ts";
import type { AuthStyle } from "../../../wire/auth-style.ts";
import type { Access, Context, KnownKey } from "../../context.ts";
import { chosenColumns, showList, wireColumns } from "../../show.ts";
import { type Input, textOf } from "../../verb.ts";
import type { Desk } from "./desk.ts";
import { type LoginWish, loginWithKey, loginWithPassword } from "./login.ts";
import { logout } from "./logout.ts";
import { type AuthStatus, authStatus, statusSentence } from "./status.ts";

/** `bt auth login`. */
export async function runLogin(input: Input, context: Context): Promise<void> {
  const { desk } = deskOf(context);
  const wish = await wishOf(input, context);
  await (input.flags["password"] ? loginWithPassword(desk, wish) : loginWithKey(desk, wish));
  const configured = readSettings(context.io.env).base_url ?? context.io.env["BT_BASE_URL"];
  if (!configured) await desk.say(`to make it the tracker of every command: bt config set base_url ${desk.baseUrl}`);
}

/** `bt auth status`. */
export async function runStatus(_: Input, context: Context): Promise<void> {
  const { access, address, login } = context.tracker;
  if (access === undefined) {
    return tell({ base_url: address, state: "logged in", user: await login() }, context); // without logging in
  }
  const { desk } = deskOf(context);
  const key = await access.key();
  const status = await authStatus(desk, key);
  await tell(status, context);
  if (status.state === "logged in") return unsettledStyle(desk, key, status);
  throw new BtError("auth", "not logged in", { hint: "bt auth login", changed: "nothing" });
}

async function tell(status: AuthStatus, context: Context): Promise<void> {
  if (context.output.format === undefined) await context.io.out(`${plain(statusSentence(status))}\n`);
  else await showStatus(status, context);
}

/** A key from outside does not say how it is to be shown; where that is not the usual way, it has to be settled once. */
async function unsettledStyle(desk: Desk, key: KnownKey | undefined, { style }: AuthStatus): Promise<void> {
  if (key?.style !== undefined || style === "query") return;
  const ways = `bt config set auth_style ${style}, or BT_AUTH_STYLE=${style}`;
  await desk.say(`note: this tracker takes the key as ${style}; to use it so: ${ways}`);
}

/** `bt auth logout`. */
export async function runLogout(_: Input, context: Context): Promise<void> {
  await logout(deskOf(context).desk);
}

function deskOf({ io, tracker }: Context): { readonly desk: Desk; readonly access: Access } {
  const { access, address } = tracker;
  if (access === undefined) {
    const hint = "name a tracker on the network with --base-url";
    throw usage(`${address} runs in this process and needs no login`, hint);
  }
  const desk: Desk = {
    baseUrl: address,
    host: io,
    askAs: access.askAs,
    hide: access.hide,
    prompt: io.terminal.stdin && io.terminal.stderr ? io.prompt : undefined,
    say: (sentence) => io.err(`${plain(sentence)}\n`),
  };
  return { desk, access };
}

async function wishOf({ flags }: Input, context: Context): Promise<LoginWish> {
  const login = textOf(flags["login"]);
  const style = textOf(flags["style"]) as AuthStyle | undefined;
  const file = textOf(flags["api-key-file"]);
  if (file !== undefined) return { login, style, key: (await keyFromFile(file, context.io.input)).key };
  if (!flags["import"]) return { login, style };
  const found = foreignLogin(context.tracker.address, context.io.env);
  if (found === undefined) {
    throw new BtError("missing", `no other client keeps a key for exactly ${context.tracker.address}`, {
      hint: "bt auth login",
      changed: "nothing",
    });
  }
  await context.io.err(`${plain(`the key comes from ${found.file}`)}\n`);
  return { login: login ?? found.user, style, key: found.key };
}

async function showStatus(status: AuthStatus, context: Context): Promise<void> {
  const columns = wireColumns<AuthStatus>(["base_url", "state", "user", "source", "style"]);
  await showList(context, { columns: chosenColumns(columns, context), pages: [[status]] });
}
