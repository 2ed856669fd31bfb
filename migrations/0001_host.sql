-- What: the host side's own memory: cursors, attempts, the last known summary of each run.
-- Why: a cursor moves only after the chat side has committed; an attempt is written before its
--      first key, so that after a crash the transcript decides and nothing is typed twice (L1).
-- Oldest binary that may open it: 0.1.0

CREATE TABLE run (
  id TEXT PRIMARY KEY,
  last_activity_at INTEGER NOT NULL, -- ms since the epoch
  summary TEXT NOT NULL CHECK (json_valid(summary))
) STRICT;
CREATE INDEX run_by_activity ON run (last_activity_at);

CREATE TABLE cursor (
  session TEXT PRIMARY KEY,
  run TEXT NOT NULL,
  cursor TEXT NOT NULL,
  transcript TEXT, -- path: an earlier session of a run stays readable after /clear
  saved INTEGER NOT NULL -- grows with every save: the highest of a run is its last session
) STRICT;
CREATE INDEX cursor_of_run ON cursor (run, saved);

CREATE TABLE attempt (
  delivery TEXT PRIMARY KEY,
  run TEXT NOT NULL,
  session TEXT,
  file TEXT,
  offset INTEGER NOT NULL, -- bytes
  kind TEXT NOT NULL CHECK (kind IN ('reply', 'answer', 'interrupt', 'command')),
  text TEXT NOT NULL, -- '' once it is settled
  stage TEXT NOT NULL CHECK (
    stage IN ('begun', 'pasted', 'entered', 'queued', 'proved', 'withheld', 'returned', 'cleared', 'settled')
  ),
  proof_offset INTEGER, -- bytes
  proof_turn TEXT,
  at INTEGER NOT NULL -- ms since the epoch
) STRICT;
CREATE INDEX attempt_open ON attempt (run, at) WHERE stage <> 'settled';
