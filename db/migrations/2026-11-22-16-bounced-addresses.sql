-- Addresses whose mail server refused a mail for good. They get nothing more until their owner confirms them again.
create table bounced_addresses (
  address text primary key check (address = lower(address) and length(address) <= 254),
  bounced_at timestamptz not null default clock_timestamp()
);

alter table one_time_secrets drop constraint one_time_secrets_purpose_check;
alter table one_time_secrets add constraint one_time_secrets_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'change_email', 'confirm_address'));
