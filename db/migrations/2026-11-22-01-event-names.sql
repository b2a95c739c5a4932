-- An event has recipients, and a moment at which it was published.
alter table events rename column hear to recipients;
alter table events rename column told_at to published_at;
alter index events_untold rename to events_unpublished;
