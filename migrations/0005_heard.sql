-- What: until when each platform was listened to.
-- Why: what people wrote while the bridge was away is read back from there (L2), not from the
--      beginning of every thread.
-- Oldest binary that may open it: 0.1.0

CREATE TABLE heard (
  platform TEXT PRIMARY KEY,
  until INTEGER NOT NULL -- ms since the epoch
) STRICT, WITHOUT ROWID;
