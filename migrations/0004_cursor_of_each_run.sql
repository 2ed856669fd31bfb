-- What: a cursor for each run that reads a session, not one for all of them.
-- Why: two live processes can share a session; with one cursor the slower reading began where the
--      faster one was after a crash, and what lay between was never posted in its thread (P4).
-- Oldest binary that may open it: 0.1.0

CREATE TABLE cursor_by_run (
  session TEXT NOT NULL,
  run TEXT NOT NULL,
  cursor TEXT NOT NULL,
  transcript TEXT, -- path: an earlier session of a run stays readable after /clear
  saved INTEGER NOT NULL, -- grows with every save: the highest of a run is its last session
  PRIMARY KEY (session, run)
) STRICT;
INSERT INTO cursor_by_run SELECT session, run, cursor, transcript, saved FROM cursor;
DROP TABLE cursor;
ALTER TABLE cursor_by_run RENAME TO cursor;
CREATE INDEX cursor_of_run ON cursor (run, saved);
