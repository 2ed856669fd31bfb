/**
 * What Slack takes, in UTF-16 units. Documented unless said otherwise; compat/slack/compat.md has
 * the sources.
 */
export const LIMITS = {
  /** Our own: Markdown of one part. Slack folds long messages away, and measures what we cannot. */
  part: 3_800,
  /** Text of all blocks together; measured by others at about 13,200. */
  blockText: 11_000,
  /** Our own: leaves of one `rich_text` block. */
  leaves: 1_500,
  /** Our own: the fallback text, for notifications and screen readers; an update takes 4,000. */
  fallback: 3_000,
  buttonText: 75,
  buttonValue: 2_000,
  buttonUrl: 3_000,
  actionsPerBlock: 25,
  selectOptions: 100,
  optionText: 75,
  linkUrl: 3_000,
  listIndent: 6,
  ownWords: 3_000,
  privateMetadata: 3_000,
  fileName: 200,
} as const;
