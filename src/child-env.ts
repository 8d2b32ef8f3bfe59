/** The environment of a program that `bt` starts: without the key, and without programs of the current folder. */
export function childEnv(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const { BT_API_KEY: _, ...rest } = env;
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  return { ...rest, PATH: folders.join(":") };
}
