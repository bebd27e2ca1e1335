/** What a scope opens, in words: in the language of the page for those of Tidegate, else as the configuration says it. */
import { session } from '../api/session.ts';
import type { Scope } from '../api/wire.ts';
import { texts } from './texts.ts';

/** Empty for a scope that the configuration does not list. */
export function scopeText(name: Scope): string {
  const ours: Readonly<Record<Scope, string | undefined>> = texts.value.scopes;
  return ours[name] ?? session.value?.listedScopes.find((scope) => scope.name === name)?.text ?? '';
}
