// Bundles src/main.ts into CommonJS chunks in dist/. `npm run build`.
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

rmSync(`${root}/dist`, { recursive: true, force: true });
await build({
  cwd: root,
  input: "src/main.ts",
  platform: "node",
  external: ["libsql"],
  output: { dir: "dist", format: "cjs", entryFileNames: "[name].cjs", chunkFileNames: "[name].cjs" },
});
