-- What: one row for each thing that a person did to a run, or tried to, with what came of it.
-- Why: "who did what to this run" is answered after a restart too, and without a log file (A2).
--      It never holds conversation text.
-- Oldest binary that may open it: 0.1.0

CREATE TABLE audit (
  seq      INTEGER PRIMARY KEY AUTOINCREMENT,
  at       INTEGER NOT NULL, -- ms since the epoch
  who      TEXT NOT NULL,
  what     TEXT NOT NULL,
  run      TEXT,
  delivery TEXT,
  outcome  TEXT NOT NULL
) STRICT;
CREATE INDEX audit_of_run ON audit (run, seq);
CREATE INDEX audit_by_age ON audit (at);
