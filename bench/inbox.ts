/** The inbox's first page as the server asks for it: of a member, so many rows and one more. */
export const inboxPage = `select "id", "title", "message", "priority", "action_label" as "actionLabel", "action_href" as "actionHref",
  "created_at" as "createdAt", read_at is null as "unread"
  from "notices" where "member_id" = $1 order by "notices"."created_at" desc, "notices"."id" desc limit $2`
