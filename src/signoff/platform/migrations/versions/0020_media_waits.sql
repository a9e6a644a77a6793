-- An event that waits for copies of its review's media, until then at most. Null: it can go.
alter table events add column media_until timestamptz;
