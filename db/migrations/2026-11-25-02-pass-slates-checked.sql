-- in steps
alter table match_passes validate constraint match_passes_slate;
