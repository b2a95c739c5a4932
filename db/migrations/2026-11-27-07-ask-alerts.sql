-- Products whose seller is notified once enough members could take a request for them.
create table ask_alerts (
  product_id uuid primary key references products,
  member_id uuid not null references members,
  created_at timestamptz not null default clock_timestamp()
);
create index ask_alerts_of on ask_alerts (member_id, created_at);
