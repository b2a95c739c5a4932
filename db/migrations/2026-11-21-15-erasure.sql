-- An erased member is nobody: nothing of theirs is left in the row, and a request that was under way when they went adds nothing to it.

alter table members add constraint members_erased check (erased_at is null or (
  email = 'erased-' || id::text || '@erased.invalid' and username is null and display_name = '' and full_name is null and image is null
  and avatar_key is null and time_zone is null and username_changed_at is null and not two_factor_enabled and role = 'user'
));

-- The share lock waits for an erasure that is under way, and then sees what became of it.
create function refuse_erased_member() returns trigger language plpgsql as $$
declare gone timestamptz;
begin
  select erased_at into gone from members where id = (to_jsonb(new) ->> tg_argv[0])::uuid for share;
  if gone is not null then
    raise exception 'this member was erased' using errcode = 'foreign_key_violation', constraint = 'member_lives';
  end if;
  return new;
end $$;

create trigger sessions_member_lives before insert on sessions for each row execute function refuse_erased_member('member_id');
create trigger login_methods_member_lives before insert on login_methods for each row execute function refuse_erased_member('member_id');
create trigger one_time_secrets_member_lives before insert on one_time_secrets for each row execute function refuse_erased_member('member_id');
create trigger email_changes_member_lives before insert on email_changes for each row execute function refuse_erased_member('member_id');
create trigger two_factor_secrets_member_lives before insert on two_factor_secrets for each row execute function refuse_erased_member('member_id');
create trigger passkeys_member_lives before insert on passkeys for each row execute function refuse_erased_member('member_id');
create trigger notice_preferences_member_lives before insert on notice_preferences for each row execute function refuse_erased_member('member_id');
create trigger data_exports_member_lives before insert on data_exports for each row execute function refuse_erased_member('member_id');
create trigger marketplace_consents_member_lives before insert on marketplace_consents for each row execute function refuse_erased_member('member_id');
create trigger products_member_lives before insert on products for each row execute function refuse_erased_member('seller_id');
create trigger images_member_lives before insert on images for each row execute function refuse_erased_member('owner_id');
create trigger support_messages_member_lives before insert on support_messages for each row execute function refuse_erased_member('member_id');
