import type { ChatTarget } from '../model/chat.ts';
import { type DialogId, id } from '../model/ids.ts';
import type { Thread } from '../model/thread.ts';
import type { ThreadSettings } from '../ports/thread-settings.ts';
import type { ThreadStore } from '../ports/thread-store.ts';

const DIALOG = 'dialog:';

/** Settings of threads over the store; the page has no thread and none of these. */
export const makeThreadSettings = ({ threads, ledger }: ThreadStore): ThreadSettings => {
  const threadOf = (target: ChatTarget): Thread | undefined =>
    'thread' in target ? threads.byRef(target.thread) : undefined;
  return {
    granted(target, actor) {
      const thread = threadOf(target);
      if (thread === undefined) return undefined;
      return threads.grants(thread.id).find((grant) => grant.actor === actor)?.role;
    },
    dialogIn(message) {
      const item = ledger.itemOf(message)?.item;
      return item?.startsWith(DIALOG) === true
        ? id<DialogId>(item.slice(DIALOG.length))
        : undefined;
    },
    isIgnored: (target) => threadOf(target)?.state === 'ignored',
    change(target, change) {
      const thread = threadOf(target);
      if (thread === undefined) return;
      switch (change.type) {
        case 'verbosity': {
          const state = thread.state === 'ignored' ? 'open' : thread.state;
          return threads.save({ ...thread, state, verbosity: change.verbosity });
        }
        case 'notify': {
          const others = thread.notify.filter((actor) => actor !== change.actor);
          const notify = change.isOn ? [...others, change.actor] : others;
          return threads.save({ ...thread, notify });
        }
        case 'grant':
          return threads.grant(thread.id, change.actor, change.role);
        case 'ignore':
          return threads.save({ ...thread, state: 'ignored' });
      }
    },
  };
};
