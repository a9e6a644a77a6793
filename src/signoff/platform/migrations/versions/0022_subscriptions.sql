-- Which events an address receives. Null: those that were there before this migration.
alter table agents add column webhook_events text[];
alter table review_revisions add column webhook_events json;
