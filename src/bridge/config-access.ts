import type { AccessEntry } from './config.ts';

const FORM =
  /^(?<platform>slack|discord):(?:(?<team>[A-Za-z0-9]+)\/)?(?:(?<kind>[a-z]+):)?(?<id>[A-Za-z0-9]+)$/;

const KINDS: Readonly<Record<string, readonly string[]>> = {
  slack: ['user', 'usergroup'],
  discord: ['user', 'role'],
};

/** Reads `platform:[team/]kind:id` (kind user by default); undefined where it is not of that form. */
export const parseAccess = (text: string): AccessEntry | undefined => {
  const groups = FORM.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const { platform, team, kind = 'user', id } = groups;
  if (platform === undefined || id === undefined || !KINDS[platform]?.includes(kind)) {
    return undefined;
  }
  return {
    platform: platform as AccessEntry['platform'],
    ...(team === undefined ? {} : { team }),
    kind: kind as AccessEntry['kind'],
    id,
  };
};
