import type { AccentedBug, MirrorFacts, MirrorStore, TextFolding } from "../../wire/mirror.ts";
import type { SendRequest } from "../operations/operation.ts";
import { searchPage, withRows } from "./search.ts";

/**
 * Text folding of the tracker, detected by at most two searches for a bug by a variant of an accented word; null if no
 * stored bug has one.
 */
export async function foldingOf(
  mirror: Pick<MirrorStore, "facts" | "accentedBugs">,
  ask: SendRequest,
): Promise<Pick<MirrorFacts, "folding">> {
  const { folding } = mirror.facts();
  const [sample] = folding === null ? mirror.accentedBugs().flatMap(samplesOf) : [];
  if (!sample) return { folding };
  const { id, word } = sample;
  const finds = async (text: string) => {
    const query = withRows(
      [],
      [
        ["bug_id", "equals", String(id)],
        ["short_desc", "substring", text],
      ],
    );
    return (await searchPage({ query, order: "bug_id", include: "id,last_change_time", limit: 1 }, ask)).length > 0;
  };
  if (await finds(plain(word))) return { folding: "accents" };
  const found: TextFolding = (await finds(otherAccent(word))) ? "bytes" : "case";
  return { folding: found };
}

/** Accented words of a summary that are not in it without accents, or with others. */
function samplesOf({ id, summary }: AccentedBug): readonly { readonly id: number; readonly word: string }[] {
  const text = summary.normalize("NFC").toLowerCase();
  const words = [...text.matchAll(ACCENTED)].map(([word]) => word);
  const isTelling = (word: string) => ![plain(word), otherAccent(word)].some((variant) => text.includes(variant));
  return words.filter(isTelling).map((word) => ({ id, word }));
}

/** A word with an accented letter of two bytes. */
const ACCENTED = /[\p{L}\p{N}]*[à-åè-ïñò-öù-ü][\p{L}\p{N}]*/giu;

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
