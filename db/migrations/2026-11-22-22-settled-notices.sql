-- A notice about something that is over is settled: it is read, and asks for nothing any more.
alter table notices add column settled_at timestamptz;
alter table notices add constraint notices_settled_are_read check (settled_at is null or read_at is not null);
