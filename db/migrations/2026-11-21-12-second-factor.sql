-- A new authenticator app replaces the old one only once a code of it was entered; until then both secrets are there.
alter table two_factor_secrets add column pending_secret text;

-- One account of a provider for each member, as there is one password.
create unique index login_methods_one_provider on login_methods (member_id, provider_id) where provider_id <> 'credential';
