import { isPasswordName, nameStrength, toConstantName } from './secret-names.ts';
import {
  isCode,
  isDeclaration,
  isIdentifier,
  isPlainThing,
  isReference,
  looksRandom,
} from './secret-values.ts';

/** How a value stands beside its name. */
export type Standing = 'env' | 'quoted' | 'line' | 'inline';

/** Several segments, none of them with what base64 has: a place of a secret, not the secret. */
const isPath = (value: string): boolean =>
  /^(?:~|\.{1,2}|[A-Za-z]:)?[/\\][\w.@-]+(?:[/\\][\w.@*-]*)+$/.test(value);

/** `The password must have eight characters`: about a secret. */
const isSentence = (value: string): boolean => {
  const words = value.trim().split(/\s+/);
  return words.length > 1 && (/^[A-Z][a-z']*$|[:,]$/.test(words[0] ?? '') || words.length > 6);
};

const isWord = (value: string): boolean => /^[A-Za-z]+$/.test(value);

/** `password`, `DB_PASSWORD`, `secret-name`: the name of a secret given as its value. */
const namesItself = (name: string, value: string): boolean => {
  const constant = toConstantName(value);
  return constant !== '' && toConstantName(name).endsWith(constant);
};

const judgeEnv = (name: string, value: string): boolean => {
  if (isPlainThing(value) && !isPasswordName(name)) return false;
  if (isPath(value) || /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)) return false;
  return !isDeclaration(value) && !isCode(value);
};

const judgeQuoted = (name: string, value: string, isStrong: boolean): boolean => {
  if (isDeclaration(value) || isSentence(value) || namesItself(name, value)) return false;
  if (isPath(value) || /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(value)) return false;
  if (!isStrong) {
    return value.length >= 16 && !/\s/.test(value) && looksRandom(value) && !isIdentifier(value);
  }
  if (isPasswordName(name)) return value.length >= 3;
  if (/\s/.test(value) || isPlainThing(value)) return false;
  const isLexer = toConstantName(name) === 'TOKEN' && isWord(value) && value.length < 20;
  return looksRandom(value) || (value.length >= 8 && !isLexer);
};

const judgeBare = (name: string, value: string, isStrong: boolean, isAlone: boolean): boolean => {
  const isRandom = looksRandom(value);
  const mayBePassword = isAlone && isStrong && value.length >= 4 && isPasswordName(name);
  if (!isRandom && !mayBePassword) return false;
  if (isCode(value) || isPlainThing(value) || isDeclaration(value) || isPath(value)) return false;
  if (namesItself(name, value)) return false;
  if (!isStrong) return value.length >= 20 && !isIdentifier(value);
  return isRandom || !/^[A-Z][a-z]+$/.test(value);
};

/** Whether `value` beside `name` is a secret. */
export const isSecretValue = (name: string, value: string, standing: Standing): boolean => {
  const strength = nameStrength(name);
  if (strength === 'none' || value === '' || isReference(value)) return false;
  switch (standing) {
    case 'env':
      return judgeEnv(name, value);
    case 'quoted':
      return judgeQuoted(name, value, strength === 'strong');
    case 'line':
    case 'inline':
      return judgeBare(name, value, strength === 'strong', standing === 'line');
  }
};
