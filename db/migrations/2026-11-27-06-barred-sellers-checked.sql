-- in steps
alter table reports validate constraint reports_reason_check;
alter table case_decisions validate constraint case_decisions_rule_check;
