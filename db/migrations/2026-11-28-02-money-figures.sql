-- Memberships and payments by month, and the members in each state, as they were last measured; one row. Each
-- look at the page Money added up all invoices and changes of memberships.
create table money_figures (
  one boolean primary key default true check (one),
  figures jsonb not null,
  measured_at timestamptz not null default clock_timestamp()
);
