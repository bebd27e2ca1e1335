/** What a request meets, by method, path and who asks; nothing is sent. All of it stands in the address. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { session } from '../../api/session.ts';
import type { PlatformData } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Form } from '../../design/form.tsx';
import { Instant } from '../../design/instant.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatUntil } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { codeColumn, numberColumn } from './columns.tsx';
import { placeOf } from './matching-routes.ts';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const CALLERS = ['anybody', 'nobody', 'viewer', 'member', 'admin', 'owner', 'operator', 'key'] as const;

type Data = PlatformData<'explain'>;
type Caller = NonNullable<Data['caller']>;

export function ExplainView() {
  const t = platformTexts.value;
  const { parameters, change } = useAddress();
  const { as } = parameters;
  const known = CALLERS.find((name) => name === as) ?? (as === undefined ? 'anybody' : 'key');
  const [method, setMethod] = useState(parameters.method ?? 'GET');
  const [path, setPath] = useState(parameters.path ?? '');
  const [caller, setCaller] = useState<string>(known);
  const [key, setKey] = useState(known === 'key' ? (as ?? '') : '');
  const [organization, setOrganization] = useState(
    parameters.organization ?? session.value?.activeOrganizationId ?? '',
  );
  const names = { ...texts.value.words.roles, ...t.callers };
  const hasOrganization = caller !== 'anybody' && caller !== 'nobody';
  return (
    <>
      <Form
        onSubmit={() =>
          change({
            method,
            path: path.startsWith('/') ? path : `/${path}`,
            as: caller === 'anybody' ? undefined : caller === 'key' ? key : caller,
            organization: hasOrganization ? organization : undefined,
          })
        }
      >
        <div class="row">
          <Field
            label={t.method}
            value={method}
            onInput={setMethod}
            options={METHODS.map((value) => ({ value, text: value }))}
          />
          <Field
            label={t.path}
            value={path}
            onInput={setPath}
            isRequired
            maxLength={2_000}
            placeholder="/v1/query"
          />
          <Field
            label={t.as}
            value={caller}
            onInput={setCaller}
            options={CALLERS.map((value) => ({ value, text: names[value] }))}
          />
          {caller === 'key' && (
            <Field
              label={t.key}
              hint={t.keyHint}
              value={key}
              onInput={setKey}
              isRequired
              pattern="key_\w{1,36}"
              placeholder="key_…"
            />
          )}
          {hasOrganization && (
            <Field
              label={t.organization}
              value={organization}
              onInput={setOrganization}
              isRequired
              maxLength={100}
            />
          )}
        </div>
        <div>
          <Button type="submit">{t.explain}</Button>
        </div>
      </Form>
      {parameters.path !== undefined && <Explained />}
    </>
  );
}

function Explained() {
  const t = platformTexts.value;
  const { method = 'GET', path = '/', as, organization } = useAddress().parameters;
  return (
    <Loaded read={useView('explain', { method, path, as, organization })} lines={8}>
      {({ data }) => (
        <>
          <p>
            <code>{`${data.method} ${data.path}`}</code>: <strong>{data.verdict}</strong>
          </p>
          {data.caller !== null && <Verdict caller={data.caller} />}
          <dl class="facts">
            <dt>{t.endpoint}</dt>
            <dd>
              <code>{data.endpoint}</code> {data.pattern !== null && <code class="soft">{data.pattern}</code>}{' '}
              <code class="small soft">{placeOf(data)}</code>
            </dd>
            <dt>{t.rule}</dt>
            <dd>{data.rule}</dd>
            <dt>{t.limit}</dt>
            <dd>
              <ul>
                {data.limits.map((limit) => (
                  <li key={limit}>{limit}</li>
                ))}
              </ul>
            </dd>
            <dt>{t.service}</dt>
            <dd>
              {data.service === null ? (
                t.answeredHere
              ) : (
                <code>{`${data.service.name} ${(data.service.urls ?? []).join(' ')}`}</code>
              )}
            </dd>
          </dl>
          <Table
            caption={t.policies}
            rows={data.policies.map((policy, index) => ({ ...policy, index }))}
            rowKey={({ index }) => index}
            columns={[
              codeColumn('policy', t.policy),
              {
                key: 'settings',
                title: t.settings,
                cell: ({ settings }) =>
                  Object.keys(settings).length === 0 ? '–' : <code>{JSON.stringify(settings)}</code>,
              },
              { key: 'does', title: t.does, cell: ({ does }) => does ?? '–' },
              {
                key: 'when',
                title: t.when,
                cell: ({ conditional }) => (conditional ? t.conditional : t.always),
              },
            ]}
            stacks
          />
        </>
      )}
    </Loaded>
  );
}

/** Whether the rule lets the caller in, and what counts now of the limits that bind. */
function Verdict({ caller: { as, status, needs, limits } }: { caller: Caller }) {
  const t = platformTexts.value;
  return (
    <>
      <p>
        <span class={status === 200 ? 'badge good' : 'badge bad'}>
          {status === 200 ? t.letIn : t.refusedBy(status)}
        </span>{' '}
        <code>{as}</code> {needs !== null && t.lacks(needs)}
      </p>
      {limits !== null && (
        <Table
          caption={t.countsNow}
          rows={limits}
          rowKey={({ name, window, subject }) => `${name} ${window} ${subject}`}
          columns={[
            codeColumn('name', t.limit),
            codeColumn('subject', t.whose),
            codeColumn('window', t.window),
            codeColumn('counts', t.counts),
            numberColumn('used', t.used),
            numberColumn('remaining', t.remaining),
            numberColumn('limit', t.of),
            {
              key: 'reset',
              title: t.resets,
              cell: ({ reset }) => (reset === null ? '–' : <Instant at={reset} text={formatUntil(reset)} />),
            },
          ]}
          stacks
        />
      )}
      <p class="hint">{t.countsHint}</p>
    </>
  );
}
