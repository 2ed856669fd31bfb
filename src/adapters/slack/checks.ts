/** What kind of token a text is, by its first letters alone. */
const kindOf = (token: string): string => {
  if (token.startsWith('xoxb-')) return 'a bot token';
  if (token.startsWith('xapp-')) return 'an app-level token';
  if (token.startsWith('xoxp-')) return 'a user token';
  if (/^xox[a-z]-/.test(token)) return 'another kind of Slack token';
  return 'no Slack token';
};

/** Wrong kinds of token, in sentences; Slack itself would let some of them wait for ever. */
export const tokenTroubles = (tokens: {
  readonly botToken: string;
  readonly appToken: string;
}): readonly string[] => [
  ...(tokens.botToken.startsWith('xoxb-')
    ? []
    : [`slack.botToken is ${kindOf(tokens.botToken)}; it must be the bot token (xoxb-…).`]),
  ...(tokens.appToken.startsWith('xapp-')
    ? []
    : [
        `slack.appToken is ${kindOf(tokens.appToken)}; it must be the app-level token (xapp-…) with connections:write.`,
      ]),
];
