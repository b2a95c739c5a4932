/** The server's query for the first page of the inbox, with one row more than the page shows. */
export const inboxPage = `select "id", "title", "message", "priority", "action_label" as "actionLabel",
  "action_href" as "actionHref", "created_at" as "createdAt", read_at is null as "unread"
  from "notices" where "member_id" = $1 order by "notices"."created_at" desc, "notices"."id" desc limit $2`
