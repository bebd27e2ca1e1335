/** Name, slug and time zone of the organization: a change meets what others changed meanwhile, and loses nothing that was typed. */
import { useState } from 'preact/hooks';
import { rereadSession } from '../../api/session.ts';
import type { Read } from '../../api/use-read.ts';
import { useWrite } from '../../api/use-write.ts';
import type { OwnOrganization } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { typedSince } from '../../design/typed-since.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { Said } from '../../states/said.tsx';
import { language, texts } from '../../texts/texts.ts';
import { changesOf, type Settings, settingsOf } from './changes.ts';
import { timeIn, zones } from './zones.ts';

const ZONES = zones();

interface SettingsFormProps {
  readonly stored: OwnOrganization;
  readonly read: Read<{ data: OwnOrganization }>;
}

export function SettingsForm({ stored, read }: SettingsFormProps) {
  const t = texts.value.organization;
  const { name, save } = texts.value.words;
  const [typed, setTyped] = useState<Partial<Settings>>({});
  const [said, say] = useState('');
  const write = useWrite();
  const shown = { ...settingsOf(stored), ...typed };
  const type = (field: keyof Settings) => (value: string) => {
    say('');
    setTyped((before) => ({ ...before, [field]: value }));
  };
  async function send(): Promise<void> {
    const body = changesOf(typed, stored);
    if (Object.keys(body).length === 0) return setTyped({});
    const ifMatch = read.etag ?? undefined;
    const answer = await write.send<{ data: OwnOrganization }>({
      method: 'PATCH',
      path: '/v1/organization',
      body,
      ifMatch,
    });
    if (!answer?.ok) return;
    setTyped((now) => typedSince(typed, now));
    read.take(answer);
    await rereadSession();
    say(t.saved);
  }
  // The slug is the only thing here that another organization can have.
  const isTaken = write.fault?.kind === 'conflict' && typed.slug !== undefined;
  const there = timeIn(shown.timezone, language.value, Date.now());
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Said text={said} />
      {write.fault && !isTaken && <FaultNotice fault={write.fault} />}
      {write.fault?.kind === 'changed' && (
        <div class="row">
          <Button
            icon="refresh-cw"
            onClick={() => {
              write.forget();
              read.again();
            }}
          >
            {t.loadAgain}
          </Button>
          <span class="hint">{t.keptHint}</span>
        </div>
      )}
      <Field
        label={name}
        value={shown.name}
        onInput={type('name')}
        maxLength={100}
        fault={write.faultOf('name')}
        isRequired
      />
      <Field
        label={t.slug}
        value={shown.slug}
        onInput={type('slug')}
        hint={t.slugHint}
        maxLength={50}
        fault={isTaken ? t.slugTaken : write.faultOf('slug')}
        isOptional
      />
      <Field
        label={t.timezone}
        value={shown.timezone}
        onInput={type('timezone')}
        hint={there === null ? t.timezoneHint : `${t.timezoneHint} ${t.timeThere(there)}`}
        suggestions={ZONES}
        fault={write.faultOf('timezone') && t.noZone}
        isRequired
      />
      <div class="row">
        <Button kind="primary" type="submit" isBusy={write.isSending || read.isLoading}>
          {save}
        </Button>
      </div>
    </form>
  );
}
