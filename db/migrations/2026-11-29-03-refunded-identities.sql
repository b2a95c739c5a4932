-- Who got a first payment back and deleted the account, as keyed hashes of their addresses and sign-in
-- accounts. Only their card was remembered, so another card made another first payment.
create table refunded_identities (
  hash bytea primary key,
  -- The day (UTC) of the refund.
  refunded_on date not null
);
create index refunded_identities_on on refunded_identities (refunded_on);
