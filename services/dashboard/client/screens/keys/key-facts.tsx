/** How a key is shown wherever one stands: its ends, its state, its last use. */
import type { ApiKeyView } from '../../api/wire.ts';
import { Instant } from '../../design/instant.tsx';
import { formatAgo, formatInstant, formatUntil } from '../../texts/format.ts';
import { scopeText } from '../../texts/scope-text.ts';
import { texts } from '../../texts/texts.ts';
import { type Life, lifeOf, oldSecretUntil, UNUSED_DAYS, unuseOf } from './key-state.ts';
import { keysTexts } from './texts.ts';

const COLOUR: Readonly<Record<Life, string>> = {
  active: 'good',
  expiring: 'warn',
  expired: 'bad',
  disabled: 'warn',
  revoked: 'bad',
};

/** The ends of its secret, as it is told from others; a key of which only the hash was provisioned has none. */
export function KeyEnds({ of: { start, last4 } }: { of: Pick<ApiKeyView, 'start' | 'last4'> }) {
  return start === '' ? null : (
    <code class="soft nobreak">
      {start}…{last4}
    </code>
  );
}

/** Its state in badges; `now` in milliseconds since 1970. */
export function KeyBadges({ of: key, now }: { of: ApiKeyView; now: number }) {
  const t = keysTexts.value;
  const life = lifeOf(key, now);
  const unuse = unuseOf(key, now);
  return (
    <span class="row">
      <span class={`badge ${COLOUR[life]}`}>
        {life === 'expiring' ? <ExpiresIn at={String(key.expiresAt)} /> : t.lives[life]}
      </span>
      {unuse === 'long' && <span class="badge warn">{t.unused.long(UNUSED_DAYS)}</span>}
      {unuse === 'never' && <span class="badge">{t.unused.never}</span>}
      {oldSecretUntil(key, now) !== null && <span class="badge">{t.oldSecret}</span>}
    </span>
  );
}

function ExpiresIn({ at }: { at: string }) {
  return <Instant at={at} text={keysTexts.value.expiresIn(formatUntil(at))} />;
}

/** How long ago something was; the instant itself on pointing at it. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={formatInstant(at)}>
      {formatAgo(at)}
    </time>
  );
}

export function LastUse({ of: { lastUsedAt } }: { of: Pick<ApiKeyView, 'lastUsedAt'> }) {
  return lastUsedAt === null ? <span class="soft">{texts.value.words.never}</span> : <Ago at={lastUsedAt} />;
}

export function Reach({ of: { access } }: { of: Pick<ApiKeyView, 'access'> }) {
  const t = keysTexts.value;
  return <>{access.level === 'global' ? t.allWebsites : t.someWebsites(access.websiteIds.length)}</>;
}

/** A scope that opens nothing any more is marked. */
export function ScopeBadges({
  of: { scopes, unknownScopes = [] },
}: {
  of: Pick<ApiKeyView, 'scopes' | 'unknownScopes'>;
}) {
  const t = texts.value;
  return (
    <ul class="scope-badges row" aria-label={t.words.scopes}>
      {scopes.map((scope) =>
        unknownScopes.includes(scope) ? (
          <li key={scope} class="badge warn" title={keysTexts.value.unknownScope}>
            {scope} ({t.words.unknown})
          </li>
        ) : (
          <li key={scope} class="badge" title={scopeText(scope)}>
            {scope}
          </li>
        ),
      )}
    </ul>
  );
}
