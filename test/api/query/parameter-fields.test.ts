import { expect, onTestFinished, test, vi } from "vitest";
import { SEARCH_BUGS } from "../../../src/api/operations/bugs.ts";
import { exampleCatalog, exampleContext } from "../example-catalog.ts";

test("a parameter that names its field is checked by that field and sent under its own name", async () => {
  const named = { name: "least_comments", field: "comments", kind: "int", about: "number of comments" };
  const parameters = [...SEARCH_BUGS.parameters, named];
  vi.resetModules();
  vi.doMock("../../../src/api/operations/bugs.ts", () => ({ SEARCH_BUGS: { ...SEARCH_BUGS, parameters } }));
  onTestFinished(() => {
    vi.doUnmock("../../../src/api/operations/bugs.ts");
    vi.resetModules();
  });
  const { flagsToTree } = await import("../../../src/api/query/flags-to-tree.ts");
  const { resolveQuery } = await import("../../../src/api/query/resolve.ts");
  const { compileQuery } = await import("../../../src/api/search/compile.ts");

  const tree = flagsToTree({ least_comments: ["3"] }, exampleCatalog);
  expect(compileQuery(resolveQuery(tree, exampleContext)).query).toEqual([["least_comments", "3"]]);
});
