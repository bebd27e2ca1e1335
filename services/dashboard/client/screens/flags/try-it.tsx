/** What anybody gets by a flag, and why: asked of the public address that clients ask, with the line that asks the same. */
import { useState } from 'preact/hooks';
import { ownOrigin, useAddress } from '../../address.ts';
import { targetOf } from '../../api/answer.ts';
import { session } from '../../api/session.ts';
import { useRead } from '../../api/use-read.ts';
import type { FlagVerdict, FlagView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Field } from '../../design/field.tsx';
import { Notice } from '../../design/notice.tsx';
import { publicCurlOf } from '../../exports/curl.ts';
import { Loaded } from '../../states/loaded.tsx';
import { callerOf, EVERYBODY, evaluationOf, FIELDS, isObject } from './evaluation.ts';
import { flagTexts } from './texts.ts';

export function TryIt({ flag }: { flag: FlagView }) {
  const t = flagTexts.value;
  const { parameters, change } = useAddress();
  const asked = callerOf(parameters);
  const [caller, setCaller] = useState(asked ?? EVERYBODY);
  const [turn, setTurn] = useState(0);
  const clientId = flag.websiteId ?? session.value?.activeOrganizationId ?? '';
  const request = evaluationOf(flag, clientId, caller);
  const url = ownOrigin() + targetOf(request);
  return (
    <section class="card stack">
      <h2>{t.tryIt}</h2>
      <p class="hint">{t.tryItHint}</p>
      {flag.status !== 'active' && <Notice kind="warn">{t.isNow[flag.status]}</Notice>}
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          setTurn(turn + 1);
          change({ ...caller, try: 'yes' }, true);
        }}
      >
        <div class="filters">
          {FIELDS.map((field) => (
            <Field
              key={field}
              label={t.caller[field]}
              value={caller[field]}
              onInput={(value) => setCaller({ ...caller, [field]: value })}
              maxLength={256}
            />
          ))}
        </div>
        <Field
          label={t.caller.properties}
          hint={t.propertiesHint}
          value={caller.properties}
          onInput={(properties) => setCaller({ ...caller, properties })}
          lines={2}
          maxLength={8_192}
          fault={isObject(caller.properties) ? undefined : t.noObject}
        />
        <div>
          <Button type="submit">{t.evaluate}</Button>
        </div>
      </form>
      {asked !== null && (
        <Verdict key={`${turn} ${flag.updatedAt}`} request={evaluationOf(flag, clientId, asked)} />
      )}
      <h3>{t.line}</h3>
      <Copy text={url} label="URL" />
      <Copy text={publicCurlOf(request, ownOrigin())} label="curl" />
    </section>
  );
}

function Verdict({ request }: { request: ReturnType<typeof evaluationOf> }) {
  const t = flagTexts.value;
  const read = useRead<FlagVerdict>(request);
  return (
    <Loaded read={read} lines={3}>
      {({ enabled, value, variant, payload, reason }) => (
        <>
          <p role="status">
            <strong>{enabled ? t.on : t.off}</strong>: {t.reasons[reason]} <code class="soft">{reason}</code>
          </p>
          <dl class="facts">
            <dt>{t.value}</dt>
            <dd>
              <pre>{JSON.stringify(value)}</pre>
            </dd>
            {variant !== undefined && (
              <>
                <dt>{t.variant}</dt>
                <dd>
                  <bdi class="mono">{variant}</bdi>
                </dd>
              </>
            )}
            <dt>{t.payload}</dt>
            <dd>
              <pre>{JSON.stringify(payload)}</pre>
            </dd>
          </dl>
        </>
      )}
    </Loaded>
  );
}
