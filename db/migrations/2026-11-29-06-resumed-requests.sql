-- By when a request that waited is drawn again at the latest, as its seller is shown it. `waits_until` is the
-- moment itself, which is random and shown to no one.
alter table review_queue add column resumes_by timestamptz;
