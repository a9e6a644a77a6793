-- After a rotation, the old secret of the audit webhook keeps signing for a day, like an agent's.
alter table accounts
    add column previous_audit_secret text,
    add column previous_audit_secret_until timestamptz;
