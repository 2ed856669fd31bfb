/** Slack's names for reactions that mean something here; every name that the same sign goes by. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  '🛑': ['octagonal_sign', 'stop_sign'],
  '⏹': ['black_square_for_stop'],
  '⏸': ['double_vertical_bar', 'pause_button'],
  '✋': ['hand', 'raised_hand'],
  '🚫': ['no_entry_sign'],
  '⛔': ['no_entry'],
  '❌': ['x'],
  '✅': ['white_check_mark'],
  '👍': ['+1', 'thumbsup'],
  '👎': ['-1', 'thumbsdown'],
  '👀': ['eyes'],
  '🔕': ['no_bell'],
  '🔔': ['bell'],
};

const BY_NAME = new Map(
  Object.entries(NAMES).flatMap(([sign, names]) => names.map((name) => [name, sign] as const)),
);

/** The sign without skin tone or variant; `:name:` where Slack's name is not known here. */
export const emojiOf = (reaction: string): string => {
  const [name = ''] = reaction.split('::');
  return BY_NAME.get(name) ?? `:${name}:`;
};

const withoutVariants = (text: string): string =>
  text.replace(/[\ufe0e\ufe0f]|\ud83c[\udffb-\udfff]/g, '');

/** A person may configure the sign, its name, or its name in colons. */
export const sameEmoji = (configured: string): string => {
  const plain = withoutVariants(configured.trim());
  return /^:?[a-z0-9_+'-]+:?$/.test(plain) ? emojiOf(plain.replaceAll(':', '')) : plain;
};
