import type { ChainLink } from '../bridge/model/chain-link.ts';
import { CliError } from './exit-codes.ts';

const words = ({ says, remedy }: ChainLink): string =>
  remedy === undefined ? says : `${says}; ${remedy}`;

/** Why these links do not hold, in one sentence; undefined: they do. */
export const brokenWords = (links: readonly ChainLink[]): string | undefined => {
  const broken = links.filter(({ status }) => status === 'broken');
  return broken.length === 0
    ? undefined
    : broken.map((link) => `${link.name}: ${words(link)}`).join('\n');
};

/** For a command that asks nobody: what does not hold ends it before anything is written. Throws CliError. */
export const demand = (links: readonly ChainLink[]): void => {
  const broken = brokenWords(links);
  if (broken !== undefined) throw new CliError('failed', `${broken}\nnothing was written`);
};
