import type { MirrorFacts, MirrorStore, TextFolding } from "../../wire/mirror.ts";
import type { SendRequest } from "../operations/operation.ts";
import { searchPage, withRows } from "./search.ts";

/**
 * What the tracker ignores when it compares texts, by at most two searches for a bug by a variant of an accented word;
 * unknown without such a bug.
 */
export async function foldingOf(
  mirror: Pick<MirrorStore, "facts" | "accentedBug">,
  ask: SendRequest,
): Promise<Pick<MirrorFacts, "folding">> {
  const { folding } = mirror.facts();
  const bug = folding === null ? mirror.accentedBug() : undefined;
  const word = bug && ACCENTED.exec(bug.summary.normalize("NFC"))?.[0];
  if (!bug || !word) return { folding };
  const finds = async (text: string) => {
    const query = withRows(
      [],
      [
        ["bug_id", "equals", String(bug.id)],
        ["short_desc", "substring", text],
      ],
    );
    return (await searchPage({ query, order: "bug_id", include: "id,last_change_time", limit: 1 }, ask)).length > 0;
  };
  if (await finds(plain(word))) return { folding: "accents" };
  const found: TextFolding = (await finds(otherAccent(word))) ? "bytes" : "case";
  return { folding: found };
}

/** A word with an accented letter of two bytes. */
const ACCENTED = /[\p{L}\p{N}]*[à-åè-ïñò-öù-ü][\p{L}\p{N}]*/iu;

function plain(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/** The word with other accents on its letters, which have as many bytes. */
function otherAccent(word: string): string {
  return [...word].map((letter) => (plain(letter) === letter ? letter : withAccent(letter))).join("");
}

function withAccent(letter: string): string {
  const [base = ""] = letter.normalize("NFD");
  const variants = ["\u0300", "\u0301", "\u0303"].map((accent) => (base + accent).normalize("NFC"));
  return variants.find((variant) => variant !== letter && variant.length === 1) ?? letter;
}
