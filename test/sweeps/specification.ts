/** An operation of spec/rest-interface.md: its routes, and its parameters, in their order. */
export type Specified = {
  readonly name: string;
  readonly routes: readonly string[];
  readonly parameters: readonly string[];
  readonly required: readonly string[];
};

function row(name: string, routes: readonly string[], parameters = "", required = ""): Specified {
  const words = (text: string) => text.split(/\s+/).filter(Boolean);
  return { name, routes, parameters: words(parameters), required: words(required) };
}

/** The operations of the interface, as its specification has them. */
export const SPECIFICATION: readonly Specified[] = [
  row("Create Group", ["POST /rest/group"], "name description user_regexp is_active icon_url", "name description"),
  row("Update Group", ["PUT /rest/group/{id_or_name}"], "name description user_regexp is_active icon_url"),
  row("Get Group", ["GET /rest/group/{id_or_name}", "GET /rest/group"], "ids names membership"),
  row("Fields", ["GET /rest/field/bug", "GET /rest/field/bug/{id_or_name}"]),
  row("Legal Values", ["GET /rest/field/bug/{field}/values", "GET /rest/field/bug/{field}/{product_id}/values"]),
  row("Get Bug", ["GET /rest/bug/{id_or_alias}"]),
  row("Bug History", ["GET /rest/bug/{id}/history"], "new_since"),
  row(
    "Search Bugs",
    ["GET /rest/bug"],
    `
    alias assigned_to component creation_time creator id last_change_time limit offset op_sys
    platform priority product resolution severity status summary tags target_milestone
    qa_contact url version whiteboard quicksearch`,
  ),
  row(
    "Create Bug",
    ["POST /rest/bug"],
    `
    product component summary version description op_sys platform priority severity alias
    assigned_to cc comment_is_private groups qa_contact status resolution target_milestone flags`,
    "product component summary version",
  ),
  row(
    "Update Bug",
    ["PUT /rest/bug/{id_or_alias}"],
    `
    alias assigned_to blocks depends_on cc is_cc_accessible comment comment_is_private component
    deadline dupe_of estimated_time flags groups keywords op_sys platform priority product
    qa_contact is_creator_accessible remaining_time reset_assigned_to reset_qa_contact
    resolution see_also severity status summary target_milestone url version whiteboard
    work_time`,
  ),
  row("Get Comments", ["GET /rest/bug/{id_or_alias}/comment", "GET /rest/bug/comment/{comment_id}"], "new_since"),
  row("Create Comments", ["POST /rest/bug/{id}/comment"], "comment is_private work_time", "comment"),
  row("Search Comment Tags", ["GET /rest/bug/comment/tags/{query}"], "limit"),
  row("Update Comment Tags", ["PUT /rest/bug/comment/{comment_id}/tags"], "add remove"),
];
