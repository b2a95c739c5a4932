-- in steps
-- Each hour, what is old goes: mails by their end, and networks out of the log. These rows were looked for from
-- end to end, and the worker counted failed mails so each time its figures were collected.
create index concurrently mails_failed on mails (failed_at desc, id desc) where failed_at is not null;
create index concurrently mails_sent on mails (sent_at) where sent_at is not null;
create index concurrently activity_logs_networks on activity_logs (created_at)
  where coalesce(ip_address, user_agent) is not null;
