import { accessSync, constants, readFileSync, statSync } from "node:fs";
import { basename, delimiter, isAbsolute, join } from "node:path";

/** Kind of stored files, each with a folder of its own. */
export type FolderKind = "config" | "cache" | "state" | "data";

/** Properties of a system that `bt` runs on. */
export type Platform = {
  /** Places of stored files: a variable, and a path below its value. The first that is an absolute path counts. */
  readonly folders: Readonly<Record<FolderKind, readonly (readonly [variable: string, below: string])[]>>;
  readonly home: string; // variable of the home directory
  readonly editor: string; // command line
  readonly pager: string; // command line
  /** Programs that open an address in the browser, with their arguments before it. */
  readonly browsers: readonly (readonly [program: string, ...args: readonly string[]])[];
  /** Program or package through which the keyring of the desktop is used. */
  readonly keyring: { readonly program: string } | { readonly load: () => Promise<KeyringPackage> };
  readonly programEndings: readonly string[]; // of the names of programs
  readonly terminal: TerminalFile;
  readonly locale: string; // where no variable names one
  readonly takesBytes: boolean; // false: the console shows UTF-8 only if Node's stream converts it
  readonly shell: Shell;
  hasJobs: boolean; // its shells stop and continue processes
};

/** File of the terminal of a process, and the flags that open it for reading and for a mode without echo. */
export type TerminalFile = { readonly path: string; readonly flags: string };

/** The shell for command lines of the user's settings. */
export type Shell = {
  /** Program and arguments that run a command line, with one more argument if a file is given. */
  readonly run: (line: string, env: Environment, file?: string) => ShellRun;
  readonly notFound: readonly number[]; // exit codes for a program that is missing or not executable
};

/** Program, arguments and options as `spawn` takes them. */
export type ShellRun = {
  readonly program: string;
  readonly args: readonly string[];
  readonly options: { readonly windowsVerbatimArguments: boolean };
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Package for the keyrings of macOS and Windows. */
export type KeyringPackage = Pick<typeof import("@napi-rs/keyring"), "AsyncEntry">;

const KEYRING_PACKAGE = { load: () => import("@napi-rs/keyring") };

const POSIX = {
  home: "HOME",
  editor: "vi",
  pager: "less",
  programEndings: [""],
  terminal: { path: "/dev/tty", flags: "r" },
  takesBytes: true,
  hasJobs: true,
  shell: {
    run: (line, _, file) => ({
      program: "/bin/sh",
      args: file === undefined ? ["-c", line] : ["-c", `${line} "$1"`, "bt", file],
      options: { windowsVerbatimArguments: false },
    }),
    notFound: [126, 127],
  },
} satisfies Partial<Platform>;

/**
 * The systems by Node's names for them.
 * @see https://specifications.freedesktop.org/basedir-spec/latest/
 * @see https://learn.microsoft.com/en-us/windows-server/administration/windows-commands/cmd
 */
export const PLATFORMS = {
  linux: {
    ...POSIX,
    folders: {
      config: [
        ["XDG_CONFIG_HOME", "bt"],
        ["HOME", ".config/bt"],
      ],
      cache: [
        ["XDG_CACHE_HOME", "bt"],
        ["HOME", ".cache/bt"],
      ],
      state: [
        ["XDG_STATE_HOME", "bt"],
        ["HOME", ".local/state/bt"],
      ],
      data: [
        ["XDG_DATA_HOME", "bt"],
        ["HOME", ".local/share/bt"],
      ],
    },
    browsers: [["xdg-open"], ["sensible-browser"], ["wslview"]],
    keyring: { program: "secret-tool" },
    locale: "",
  },
  darwin: {
    ...POSIX,
    folders: {
      config: [
        ["XDG_CONFIG_HOME", "bt"],
        ["HOME", "Library/Application Support/bt"],
      ],
      cache: [
        ["XDG_CACHE_HOME", "bt"],
        ["HOME", "Library/Caches/bt"],
      ],
      state: [
        ["XDG_STATE_HOME", "bt"],
        ["HOME", "Library/Application Support/bt"],
      ],
      data: [
        ["XDG_DATA_HOME", "bt"],
        ["HOME", "Library/Application Support/bt"],
      ],
    },
    browsers: [["open"]],
    keyring: KEYRING_PACKAGE,
    locale: "C.UTF-8",
  },
  win32: {
    folders: {
      config: [
        ["XDG_CONFIG_HOME", "bt"],
        ["APPDATA", "bt"],
        ["USERPROFILE", "AppData/Roaming/bt"],
      ],
      cache: [
        ["XDG_CACHE_HOME", "bt"],
        ["LOCALAPPDATA", "bt/cache"],
        ["USERPROFILE", "AppData/Local/bt/cache"],
      ],
      state: [
        ["XDG_STATE_HOME", "bt"],
        ["LOCALAPPDATA", "bt/state"],
        ["USERPROFILE", "AppData/Local/bt/state"],
      ],
      data: [
        ["XDG_DATA_HOME", "bt"],
        ["LOCALAPPDATA", "bt/data"],
        ["USERPROFILE", "AppData/Local/bt/data"],
      ],
    },
    home: "USERPROFILE",
    editor: "notepad",
    pager: "more",
    browsers: [["rundll32", "url.dll,FileProtocolHandler"]],
    keyring: KEYRING_PACKAGE,
    programEndings: [".exe", ".com", ""], // Node starts no .cmd and no .bat without a shell
    terminal: { path: "\\\\.\\CONIN$", flags: "r+" },
    locale: "C.UTF-8",
    takesBytes: false,
    hasJobs: false,
    shell: {
      run: (line, env, file) => ({
        program: env["ComSpec"] || "cmd.exe",
        args: ["/d", "/s", "/c", `"${line}${file === undefined ? "" : ` "${file}"`}"`],
        options: { windowsVerbatimArguments: true },
      }),
      notFound: [1, 9009],
    },
  },
} as const satisfies Readonly<Record<string, Platform>>;

/** The system of a process; one that is not listed is taken for a Linux. */
export function platformNamed(name: string): Platform {
  return Object.hasOwn(PLATFORMS, name) ? PLATFORMS[name as keyof typeof PLATFORMS] : PLATFORMS.linux;
}

/** Path of a program: absolute, or found in an absolute folder of PATH, never in the current folder. */
export function findProgram(
  name: string,
  { env, platform }: { env: Environment; platform: Platform },
): string | undefined {
  const isPath = basename(name) !== name;
  const folders = isPath ? [] : (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  const places = isPath && isAbsolute(name) ? [name] : folders.map((folder) => join(folder, name));
  return places.flatMap((place) => platform.programEndings.map((ending) => `${place}${ending}`)).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Environment of child processes: without the API key, and without programs of the current folder, which Windows finds
 * first unless a variable forbids it.
 */
export function childEnv(env: Environment): Environment {
  const { BT_API_KEY: _, ...rest } = env;
  const folders = (env["PATH"] ?? "").split(delimiter).filter(isAbsolute);
  return { ...rest, PATH: folders.join(delimiter), NoDefaultCurrentDirectoryInExePath: "1" };
}

/** Node's module that starts programs; loading it takes 4 ms, so only commands that start one do. */
export function loadChildProcess(): Promise<typeof import("node:child_process")> {
  return import("node:child_process");
}

/** Start time of a process on Linux: field 22 of stat, after a name of arbitrary characters. */
export function processStart(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, "latin1").replace(/^.*\)/s, "").trim().split(" ")[19];
  } catch {
    return undefined;
  }
}
