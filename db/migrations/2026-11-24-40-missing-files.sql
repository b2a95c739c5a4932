-- The nightly sweep looks in both directions: files without a row, which it removes, and rows without a file.
alter table storage_figures add column missing integer check (missing >= 0);
alter table storage_figures add column swept_at timestamptz;
