/** The words of summaries and comments, for full-text search; kept by triggers, so that no writer has to know of them. */
export const fulltext = `
CREATE VIRTUAL TABLE summary_words USING fts5 (summary, content = 'bugs', content_rowid = 'id');
CREATE VIRTUAL TABLE comment_words USING fts5 (text, content = 'comments', content_rowid = 'id');

CREATE TRIGGER summary_words_added AFTER INSERT ON bugs BEGIN
  INSERT INTO summary_words (rowid, summary) VALUES (new.id, new.summary);
END;
CREATE TRIGGER summary_words_changed AFTER UPDATE OF summary ON bugs BEGIN
  INSERT INTO summary_words (summary_words, rowid, summary) VALUES ('delete', old.id, old.summary);
  INSERT INTO summary_words (rowid, summary) VALUES (new.id, new.summary);
END;
CREATE TRIGGER summary_words_gone AFTER DELETE ON bugs BEGIN
  INSERT INTO summary_words (summary_words, rowid, summary) VALUES ('delete', old.id, old.summary);
END;

CREATE TRIGGER comment_words_added AFTER INSERT ON comments BEGIN
  INSERT INTO comment_words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER comment_words_changed AFTER UPDATE OF text ON comments BEGIN
  INSERT INTO comment_words (comment_words, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO comment_words (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER comment_words_gone AFTER DELETE ON comments BEGIN
  INSERT INTO comment_words (comment_words, rowid, text) VALUES ('delete', old.id, old.text);
END;
`;
