-- An offer that its member closed without an answer. It stays open, and no device opens it by itself again.
alter table offers add column set_aside_at timestamptz;
