/** One API key: what it is, its settings, its secret's rotation, and its end. */
import { useCallback, useEffect, useState } from 'preact/hooks';
import { HOME, usePathPart } from '../../address.ts';
import { manages, session } from '../../api/session.ts';
import { type Read, useRead } from '../../api/use-read.ts';
import { useWebsites } from '../../api/websites.ts';
import type { ApiKeyView } from '../../api/wire.ts';
import { Icon } from '../../design/icon.tsx';
import { Notice } from '../../design/notice.tsx';
import { PageHead } from '../../design/page-head.tsx';
import { Forbidden } from '../../states/forbidden.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatInstant } from '../../texts/format.ts';
import { scopeText } from '../../texts/scope-text.ts';
import { texts } from '../../texts/texts.ts';
import { EndOfKey } from './end-of-key.tsx';
import { Ago, KeyBadges, KeyEnds, LastUse } from './key-facts.tsx';
import { KeySecret, type KeyWithSecret } from './key-secret.tsx';
import { KeySettings } from './key-settings.tsx';
import { lifeOf, oldSecretUntil } from './key-state.ts';
import { OldSecret } from './old-secret.tsx';
import { RotateKey } from './rotate-key.tsx';
import { keysTexts } from './texts.ts';
import { type Names, namesOf } from './website-names.ts';

interface OneKeyAnswer {
  readonly data: ApiKeyView;
}

export function OneKey() {
  return manages.value ? <Key /> : <Forbidden title={keysTexts.value.title} />;
}

function Key() {
  const t = keysTexts.value;
  const id = usePathPart('id');
  const read = useRead<OneKeyAnswer>({ path: `/v1/api-keys/${encodeURIComponent(id)}` });
  const names = useNames(read.data?.data);
  const [rotated, setRotated] = useState<KeyWithSecret | null>(null);
  const forget = useCallback(() => setRotated(null), []);
  const key = read.data?.data;
  return (
    <>
      <p class="screen-only">
        <a class="way-back" href={`${HOME}/keys`}>
          <Icon name="arrow-left" />
          {t.title}
        </a>
      </p>
      <PageHead title={key?.name ?? t.title} lead={key && <Lead of={key} />} />
      {rotated ? (
        <KeySecret
          title={t.rotated}
          of={rotated}
          websiteId={[...names.keys()][0]}
          onLost={forget}
          onStored={() => {
            forget();
            read.again();
            document.getElementById('content')?.focus();
          }}
        />
      ) : (
        <Loaded read={read} lines={12}>
          {({ data }) => <Parts of={data} read={read} names={names} onRotated={setRotated} />}
        </Loaded>
      )}
    </>
  );
}

/** The names of the organization's websites, asked for only when the key names some; null of one that is deleted. */
function useNames(key: ApiKeyView | undefined): Names {
  const ids = key?.access.level === 'website' ? key.access.websiteIds : [];
  const read = useWebsites(ids.length > 0);
  const names = namesOf(ids, read.data?.websites, read.isKept);
  // A website that somebody has made since: what is kept does not know it.
  const isDoubtful = read.isKept && ids.some((id) => !names.has(id));
  useEffect(() => {
    if (isDoubtful) read.again();
  }, [isDoubtful]);
  return names;
}

function Lead({ of: key }: { of: ApiKeyView }) {
  return (
    <span class="row">
      <KeyEnds of={key} />
      <KeyBadges of={key} now={Date.now()} />
    </span>
  );
}

interface PartsProps {
  readonly of: ApiKeyView;
  readonly read: Read<OneKeyAnswer>;
  readonly names: Names;
  readonly onRotated: (key: KeyWithSecret) => void;
}

function Parts({ of: key, read, names, onRotated }: PartsProps) {
  const t = keysTexts.value;
  const life = lifeOf(key, Date.now());
  const target = { id: key.id, etag: read.etag, isReading: read.isLoading, again: read.again };
  return (
    <>
      {life === 'revoked' && <Notice>{t.isRevoked(formatInstant(key.revokedAt ?? ''))}</Notice>}
      {life === 'expired' && <Notice kind="warn">{t.isExpired(formatInstant(key.expiresAt ?? ''))}</Notice>}
      {life === 'disabled' && <Notice kind="warn">{t.isDisabled}</Notice>}
      <Facts of={key} />
      {life === 'revoked' ? (
        <Opens of={key} names={names} />
      ) : (
        <>
          <KeySettings of={key} names={names} target={target} />
          <RotateKey of={key} target={target} isExpired={life === 'expired'} onRotated={onRotated} />
          <EndOfKey of={key} target={target} />
        </>
      )}
    </>
  );
}

function Facts({ of: key }: { of: ApiKeyView }) {
  const t = texts.value;
  return (
    <section class="card stack key-form">
      <dl class="key-facts">
        <dt>{keysTexts.value.lastUsed}</dt>
        <dd>
          <LastUse of={key} />
        </dd>
        <dt>{keysTexts.value.expires}</dt>
        <dd>{key.expiresAt === null ? t.words.never : formatInstant(key.expiresAt)}</dd>
        <dt>{t.words.created}</dt>
        <dd>
          <Ago at={key.createdAt} />
          {key.createdBy === session.value?.user.id && <span class="soft"> ({keysTexts.value.byYou})</span>}
        </dd>
        <dt>ID</dt>
        <dd>
          <code>{key.id}</code>
        </dd>
      </dl>
      {oldSecretUntil(key, Date.now()) !== null && <OldSecret of={key} />}
    </section>
  );
}

/** What a key that cannot be changed opened. */
function Opens({ of: key, names }: { of: ApiKeyView; names: Names }) {
  const t = texts.value;
  return (
    <section class="card stack key-form">
      <h2>{t.words.scopes}</h2>
      <ul>
        {key.scopes.map((scope) => (
          <li key={scope}>
            {scopeText(scope)} <code class="soft nobreak">{scope}</code>
          </li>
        ))}
      </ul>
      <h2>{t.words.websites}</h2>
      {key.access.level === 'global' ? (
        <p>{keysTexts.value.allWebsites}</p>
      ) : (
        <ul>
          {key.access.websiteIds.map((id) => (
            <li key={id}>
              <bdi>{names.get(id) ?? id}</bdi>
              {names.get(id) === null && <span class="soft"> ({keysTexts.value.deletedWebsite})</span>}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
