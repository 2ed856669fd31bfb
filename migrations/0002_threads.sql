-- What: the chat side's outward memory: threads, bindings, ledger, outbox, what fell behind.
-- Why: every selected item is posted exactly once and in order, whatever crashes (P4, L1); the
--      unique keys below are that guarantee. The conversation is not copied: `kept` and `data` hold
--      text only until it is settled.
-- Oldest binary that may open it: 0.1.0

CREATE TABLE thread (
  id TEXT PRIMARY KEY,
  channel TEXT NOT NULL,
  platform TEXT NOT NULL,
  ref TEXT CHECK (json_valid(ref)), -- ThreadRef; null until the platform has it
  run TEXT NOT NULL, -- the run that carries it on now
  state TEXT NOT NULL CHECK (state IN ('open', 'ignored', 'gone')),
  gone_why TEXT,
  shown_state TEXT, -- the run's state that the thread was last told of
  tail TEXT, -- item of the message that was planned last
  last_message TEXT CHECK (json_valid(last_message)), -- MessageRef of our newest post
  head_edited_at INTEGER NOT NULL DEFAULT 0, -- ms since the epoch
  verbosity TEXT CHECK (verbosity IN ('quiet', 'normal', 'full')), -- null: the channel's
  notify TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(notify)), -- ActorIds
  created_at INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX thread_by_ref ON thread (ref) WHERE ref IS NOT NULL;
CREATE INDEX thread_by_run ON thread (run);

CREATE TABLE thread_grant (
  thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  actor TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('observer', 'driver', 'owner')),
  PRIMARY KEY (thread, actor)
) STRICT, WITHOUT ROWID;

CREATE TABLE binding (
  id INTEGER PRIMARY KEY,
  channel TEXT NOT NULL,
  run TEXT NOT NULL,
  session TEXT NOT NULL, -- '' before the run has one
  thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  not_before INTEGER NOT NULL, -- ms since the epoch; older items are copied history
  is_live INTEGER NOT NULL DEFAULT 1, -- the run lives and is in this session
  UNIQUE (channel, run, session)
) STRICT;
CREATE INDEX binding_by_session ON binding (channel, session);

CREATE TABLE ledger (
  thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  item TEXT NOT NULL, -- ItemId, or head, dialog:…, activity:…, file:…, notice:…
  part INTEGER NOT NULL,
  digest TEXT NOT NULL, -- of the item, as planned last
  state TEXT NOT NULL CHECK (state IN ('shown', 'folded', 'filed', 'skipped', 'failed')),
  shown_in TEXT, -- folded, filed: the item in whose message it is shown
  kept TEXT, -- what an edit needs (a tool's line, an open dialog); null once settled
  content TEXT, -- hash of the part as planned last
  message TEXT CHECK (json_valid(message)), -- MessageRef; null until posted
  PRIMARY KEY (thread, item, part)
) STRICT, WITHOUT ROWID;
CREATE INDEX ledger_by_message ON ledger (message) WHERE message IS NOT NULL;
CREATE INDEX ledger_shown_in ON ledger (thread, shown_in) WHERE shown_in IS NOT NULL;

CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- the order in a thread
  idempotency_key TEXT UNIQUE, -- null: an edit, a removal, a receipt; those may be repeated
  thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  item TEXT NOT NULL,
  part INTEGER NOT NULL,
  op TEXT NOT NULL CHECK (op IN ('open', 'post', 'edit', 'remove', 'receipt', 'whisper')),
  priority INTEGER NOT NULL, -- 0 first
  data TEXT, -- EncodedPart, or what the op needs; null once settled
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'failed')),
  attempts INTEGER NOT NULL DEFAULT 0, -- that failed
  is_uncertain INTEGER NOT NULL DEFAULT 0, -- a try may have had its effect
  not_before INTEGER NOT NULL DEFAULT 0, -- ms since the epoch
  error TEXT,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX outbox_waiting ON outbox (thread, id) WHERE state = 'waiting';

CREATE TABLE behind (
  id INTEGER PRIMARY KEY, -- the order of catching up
  thread TEXT NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  run TEXT NOT NULL,
  session TEXT NOT NULL,
  behind_from INTEGER NOT NULL, -- byte offset of the first item that was not planned
  version INTEGER NOT NULL DEFAULT 1, -- counts what was passed over: a reading that it outdates is repeated
  UNIQUE (thread, session)
) STRICT;

CREATE TABLE envelope (
  id TEXT PRIMARY KEY,
  at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX envelope_by_age ON envelope (at);
