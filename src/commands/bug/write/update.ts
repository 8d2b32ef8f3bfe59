import { enterableProducts, type WithProduct } from "../../../api/enterable-products.ts";
import { checkNotEmpty } from "../../../api/write/checks.ts";
import { type BtError, usage } from "../../../errors.ts";
import { flagValue } from "../../../session/flags.ts";
import { withCatalog } from "../../../session/session.ts";
import { applyChange } from "../../shared/change.ts";
import { readLongText } from "../../shared/input-text.ts";
import { bugsToChange, bugTargets } from "../../shared/targets.ts";
import { updateBody } from "../../shared/write-body.ts";
import type { Context, Input } from "../../verb.ts";

/** `bt bug update`: reads the bugs, checks the whole update against them, sends it, and prints the changes. */
export async function updateBugs(input: Input, context: Context): Promise<void> {
  const refs = await bugTargets(input.args, context);
  const comment = await readLongText({ name: "comment", typed: flagValue(input.flags["comment"]) }, input, context);
  if (input.flags["private"] && comment === undefined) throw nothingPrivate();
  if (input.flags["allow-no-groups"] && input.flags["product"] === undefined)
    throw usage("--allow-no-groups requires --product", "--remove-groups GROUP makes a bug public");
  const { bugs, lost } = await bugsToChange(refs, context);
  const product = flagValue(input.flags["product"]);
  const withProduct: WithProduct =
    product === undefined ? async (catalog) => catalog : enterableProducts(context.session.send);
  const body = await withCatalog(context.session, async (known) => {
    const catalog = await withProduct(known, product);
    return updateBody({ input, context, catalog, bugs, comment });
  });
  checkNotEmpty(body);
  await applyChange({ bugs, lost, parts: [{ bugs, body }] }, input, context);
}

function nothingPrivate(): BtError {
  return usage(
    "--private requires a comment",
    "add one with -m, or use --comment-is-private COMMENT=yes for an existing comment",
  );
}
