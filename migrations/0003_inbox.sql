-- What: chat events until they are decided, deliveries with their outcome, runs paused by an interrupt.
-- Why: an event is acknowledged only when it is durable; its key alone is kept afterwards, so that the
--      same thing told twice is done once. Texts are erased once a delivery is settled.
-- Oldest binary that may open it: 0.1.0

CREATE TABLE inbox (
  seq         INTEGER PRIMARY KEY AUTOINCREMENT,
  key         TEXT NOT NULL UNIQUE,
  event       TEXT,                -- JSON; NULL once handled
  received_at INTEGER NOT NULL,    -- ms since the epoch, as all times
  handled_at  INTEGER
) STRICT;
CREATE INDEX inbox_unhandled ON inbox (seq) WHERE handled_at IS NULL;

CREATE TABLE delivery (
  seq           INTEGER PRIMARY KEY AUTOINCREMENT,
  id            TEXT NOT NULL UNIQUE,
  event_key     TEXT NOT NULL UNIQUE,
  run           TEXT NOT NULL,
  kind          TEXT NOT NULL CHECK (kind IN ('reply', 'answer', 'interrupt')),
  actor         TEXT NOT NULL,
  by_name       TEXT NOT NULL,
  target        TEXT NOT NULL,     -- JSON
  message_ref   TEXT,              -- JSON array: platform, channel, thread, message
  text          TEXT NOT NULL,     -- '' once erased
  payload       TEXT NOT NULL,     -- JSON: dialog, answer, turn; the answer goes once erased
  status        TEXT NOT NULL CHECK (status IN ('waiting', 'confirmed', 'queued', 'held', 'refused', 'returned', 'unknown')),
  outcome       TEXT NOT NULL,     -- JSON
  hold_until    INTEGER NOT NULL,
  again         INTEGER NOT NULL DEFAULT 0,
  is_sending    INTEGER NOT NULL DEFAULT 0,
  is_discarding INTEGER NOT NULL DEFAULT 0,
  wish          TEXT,              -- JSON
  revision      INTEGER NOT NULL DEFAULT 0,
  created_at    INTEGER NOT NULL,
  updated_at    INTEGER NOT NULL
) STRICT;
CREATE INDEX delivery_of_run ON delivery (run, seq);
CREATE INDEX delivery_open ON delivery (run, seq) WHERE status IN ('waiting', 'held') OR is_sending = 1;
CREATE INDEX delivery_of_message ON delivery (message_ref) WHERE message_ref IS NOT NULL;

CREATE TABLE run_pause (
  run          TEXT PRIMARY KEY,
  before_seq   INTEGER NOT NULL,
  is_confirmed INTEGER NOT NULL,
  since        INTEGER NOT NULL
) STRICT;
