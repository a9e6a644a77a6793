-- Null: nothing was chosen, and the next one in line counts: the person's, then the workspace's, then the browser's.
alter table users add column language text;
alter table accounts add column language text;
-- Of the review's external reviewers: their emails and the page behind their links.
alter table reviews add column external_language text;
