-- When our staff settled a dispute that the club lost. It was read from the reason of the suspension, which
-- names one cause only: under a suspension by missed reviews, a lost dispute was not seen.
alter table disputes add column settled_at timestamptz;
