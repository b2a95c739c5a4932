-- The share of the club that the requests of a pass were open to: at first, and until it doubles. Null in
-- passes that were recorded before they stated it.
alter table match_passes
  add column slate_start double precision,
  add column slate_doubling_ms int;
alter table match_passes
  add constraint match_passes_slate check (
    num_nonnulls(slate_start, slate_doubling_ms) in (0, 2)
    and slate_start > 0 and slate_start <= 1 and slate_doubling_ms > 0
  ) not valid;
