/** The settings of a key: name, expiry, scopes and websites, saved together and only where they changed. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useWrite } from '../../api/use-write.ts';
import type { ApiKeyChanges, ApiKeyView, Scope } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { timezone } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import type { Words } from '../../texts/worded.ts';
import { type Expiry, expiryOf } from './expiry.ts';
import { firstInput } from './first-input.ts';
import { type KeyTarget, pathOf } from './key-target.ts';
import { NameFields } from './name-fields.tsx';
import { ScopeFields } from './scope-fields.tsx';
import { inOrder, scopesInForce } from './scope-groups.ts';
import { keysTexts } from './texts.ts';
import { WebsiteFields } from './website-fields.tsx';
import type { Names } from './website-names.ts';
import { changesOf, type Faults, type Field, faultsOf, type Reach, stepOfField } from './wishes.ts';

interface KeySettingsProps {
  readonly of: ApiKeyView;
  readonly names: Names;
  readonly target: KeyTarget;
}

export function KeySettings({ of: key, names: known, target }: KeySettingsProps) {
  const t = texts.value;
  const [name, setName] = useState(key.name);
  const [expiry, setExpiry] = useState<Expiry>(() => expiryOf(key.expiresAt, timezone.value));
  const [scopes, setScopes] = useState<readonly Scope[]>(() => inOrder(scopesInForce(key)));
  const [reach, setReach] = useState<Reach>(() => ({ websiteIds: [], ...key.access }));
  const [found, setFound] = useState<Names>(new Map());
  const [isTried, setTried] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const write = useWrite();
  const form = useRef<HTMLFormElement>(null);

  const wishes = { name, expiry, scopes, reach };
  const shown = useRef(key);
  // Another version of the key: what nobody touched here follows it, what somebody typed stays. At once and not after the next
  // frame: what somebody changes before that would be undone.
  useLayoutEffect(() => {
    const touched = changesOf(shown.current, wishes, timezone.value, Date.now());
    shown.current = key;
    if (!('name' in touched)) setName(key.name);
    if (!('expiresAt' in touched)) setExpiry(expiryOf(key.expiresAt, timezone.value));
    if (!('scopes' in touched)) setScopes(inOrder(scopesInForce(key)));
    if (!('access' in touched)) setReach({ websiteIds: [], ...key.access });
    write.forget();
  }, [key.updatedAt]);

  const changes: ApiKeyChanges = changesOf(key, wishes, timezone.value, Date.now());
  const missing = faultsOf(wishes, timezone.value, Date.now());
  const faults: Faults = {
    ...missing.name,
    ...missing.scopes,
    ...missing.websites,
    // What was so before is no fault now: an expired key keeps its day until somebody changes it.
    ...('expiresAt' in changes ? {} : { expiresAt: undefined }),
  };
  const isFaulty = Object.values(faults).some((fault) => fault !== undefined);
  const faultOf = (field: Field): Words | undefined => {
    const text = isTried ? faults[field] : undefined;
    return write.faultOf(field) ?? (text && keysTexts.value[text]);
  };

  async function save(): Promise<void> {
    setTried(true);
    const focusFault = () => requestAnimationFrame(() => firstInput(form.current)?.focus());
    if (isFaulty) {
      focusFault();
      return;
    }
    const answer = await write.send({
      method: 'PATCH',
      path: pathOf(target),
      body: changes,
      ifMatch: target.etag ?? undefined,
    });
    setSaved(answer?.ok === true);
    if (answer?.ok) target.again();
    else focusFault();
  }

  const isChanged = Object.keys(changes).length > 0;
  const { fault } = write;
  return (
    <form
      class="card stack key-form"
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{keysTexts.value.settings}</h2>
      <NameFields
        name={name}
        onName={setName}
        nameFault={faultOf('name')}
        expiry={expiry}
        onExpiry={setExpiry}
        expiryFault={faultOf('expiresAt')}
      />
      <h3>{t.words.scopes}</h3>
      <ScopeFields scopes={scopes} onChange={setScopes} fault={faultOf('scopes')} />
      <h3>{t.words.websites}</h3>
      <WebsiteFields
        reach={reach}
        onChange={setReach}
        names={new Map([...known, ...found])}
        onNames={setFound}
        needsAll={scopes.includes('manage:config')}
        fault={faultOf('access')}
      />
      {fault && (fault.details.length === 0 || fault.details.some(({ field }) => !stepOfField(field))) && (
        <FaultNotice fault={fault} again={fault.kind === 'changed' ? target.again : undefined} />
      )}
      <div class="row">
        <Button kind="primary" type="submit" isBusy={write.isSending || target.isReading || !isChanged}>
          {t.words.save}
        </Button>
        <span role="status">{isSaved && !isChanged && t.states.saved}</span>
      </div>
    </form>
  );
}
