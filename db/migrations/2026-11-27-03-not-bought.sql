-- A review can be reported and returned because no order with the coupon came in.
alter table reports drop constraint reports_reason_check,
  add constraint reports_reason_check check (reason in ('not_visible', 'other_product', 'not_bought', 'no_use',
    'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive', 'unlawful', 'broken',
    'not_as_described', 'asks_for_stars', 'rewards')) not valid;
alter table case_decisions drop constraint case_decisions_rule_check,
  add constraint case_decisions_rule_check check (rule in ('not_visible', 'other_product', 'not_bought',
    'no_use', 'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive', 'unlawful', 'broken',
    'not_as_described', 'asks_for_stars', 'rewards')) not valid;
alter table reviews drop constraint reviews_return_reason_check,
  add constraint reviews_return_reason_check check (return_reason in ('not_visible', 'other_product',
    'not_bought', 'no_use', 'copied', 'too_short', 'disclosure_missing', 'personal_data', 'abusive',
    'unlawful')) not valid;
