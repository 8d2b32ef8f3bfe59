/** What bugs are filed against and with: products and their parts, keywords, flag types, and groups by product. */
export const catalog = `
CREATE TABLE classifications (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  sort_key INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE products (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  classification_id INTEGER NOT NULL REFERENCES classifications,
  description TEXT NOT NULL DEFAULT '',
  is_active INTEGER NOT NULL DEFAULT 1,
  default_milestone TEXT NOT NULL DEFAULT '---',
  has_unconfirmed INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE components (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  default_assignee_id INTEGER NOT NULL REFERENCES users,
  default_qa_contact_id INTEGER REFERENCES users,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE component_cc (
  component_id INTEGER NOT NULL REFERENCES components ON DELETE CASCADE,
  user_id INTEGER NOT NULL REFERENCES users ON DELETE CASCADE,
  PRIMARY KEY (component_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE versions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE milestones (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE,
  sort_key INTEGER NOT NULL DEFAULT 0,
  is_active INTEGER NOT NULL DEFAULT 1,
  UNIQUE (product_id, name)
) STRICT;

CREATE TABLE keywords (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE TABLE flag_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL COLLATE NOCASE,
  description TEXT NOT NULL DEFAULT '',
  cc_list TEXT NOT NULL DEFAULT '',
  target TEXT NOT NULL DEFAULT 'bug' CHECK (target IN ('bug', 'attachment')),
  is_active INTEGER NOT NULL DEFAULT 1,
  is_requestable INTEGER NOT NULL DEFAULT 1,
  is_requesteeble INTEGER NOT NULL DEFAULT 1,
  is_multiplicable INTEGER NOT NULL DEFAULT 1,
  sort_key INTEGER NOT NULL DEFAULT 0,
  grant_group_id INTEGER REFERENCES groups ON DELETE SET NULL,
  request_group_id INTEGER REFERENCES groups ON DELETE SET NULL
) STRICT;

-- A null product or component stands for all of them.
CREATE TABLE flag_type_inclusions (
  type_id INTEGER NOT NULL REFERENCES flag_types ON DELETE CASCADE,
  product_id INTEGER REFERENCES products ON DELETE CASCADE,
  component_id INTEGER REFERENCES components ON DELETE CASCADE
) STRICT;
CREATE TABLE flag_type_exclusions (
  type_id INTEGER NOT NULL REFERENCES flag_types ON DELETE CASCADE,
  product_id INTEGER REFERENCES products ON DELETE CASCADE,
  component_id INTEGER REFERENCES components ON DELETE CASCADE
) STRICT;

-- Controls: 0 not applicable, 1 shown, 2 default, 3 mandatory.
CREATE TABLE group_controls (
  product_id INTEGER NOT NULL REFERENCES products ON DELETE CASCADE,
  group_id INTEGER NOT NULL REFERENCES groups ON DELETE CASCADE,
  entry INTEGER NOT NULL DEFAULT 0,                -- filing needs the group
  member_control INTEGER NOT NULL DEFAULT 0,
  other_control INTEGER NOT NULL DEFAULT 0,
  can_edit INTEGER NOT NULL DEFAULT 0,             -- editing anything needs the group
  edit_components INTEGER NOT NULL DEFAULT 0,
  edit_bugs INTEGER NOT NULL DEFAULT 0,            -- members may edit bugs of this product
  can_confirm INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (product_id, group_id)
) STRICT, WITHOUT ROWID;
`;
