/** The operators of a search row (`o1=`), by what they look at. */
export const OPERATORS = {
  value: ["equals", "notequals", "anyexact", "lessthan", "lessthaneq", "greaterthan", "greaterthaneq"],
  text: ["substring", "casesubstring", "notsubstring", "regexp", "notregexp"],
  words: ["anywords", "allwords", "nowords", "anywordssubstr", "allwordssubstr", "nowordssubstr"],
  change: ["changedbefore", "changedafter", "changedfrom", "changedto", "changedby"],
  empty: ["isempty", "isnotempty"],
  fulltext: ["matches", "notmatches"],
} as const;
