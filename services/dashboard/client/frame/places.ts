/** The screens of the navigation: those that the role reaches, and for operators the platform; each with the letter that follows `g`. */
import { HOME } from '../address.ts';
import { manages, may, session } from '../api/session.ts';
import { texts } from '../texts/texts.ts';

export interface NavigationPlace {
  readonly path: string;
  readonly text: string;
  readonly letter: string;
}

export function places(): readonly NavigationPlace[] {
  const t = texts.value.frame;
  const at = (path: string, text: string, letter: string) => ({ path: `${HOME}${path}`, text, letter });
  const isOperator = session.value?.user.isOperator === true;
  return [
    at('', t.websites, 'w'),
    ...(may('read:links') ? [at('/links', t.links, 'l')] : []),
    ...(may('manage:flags') ? [at('/flags', t.flags, 'f')] : []),
    ...(manages.value
      ? [at('/keys', t.keys, 'k'), at('/members', t.members, 'm'), at('/audit', t.audit, 'a')]
      : []),
    at('/organization', t.organization, 'o'),
    ...(isOperator ? [at('/platform', t.platform, 'p')] : []),
  ];
}
