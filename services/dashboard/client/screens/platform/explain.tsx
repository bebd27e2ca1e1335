/** What a request meets, by method and path; nothing is sent. Both stand in the address. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { codeColumn } from './columns.tsx';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function ExplainView() {
  const t = platformTexts.value;
  const { parameters, change } = useAddress();
  const [method, setMethod] = useState(parameters.method ?? 'GET');
  const [path, setPath] = useState(parameters.path ?? '');
  const isAsked = parameters.path !== undefined;
  return (
    <>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          change({ method, path: path.startsWith('/') ? path : `/${path}` });
        }}
      >
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
        <Button type="submit">{t.explain}</Button>
      </form>
      {isAsked && <Explained method={parameters.method ?? 'GET'} path={parameters.path ?? '/'} />}
    </>
  );
}

function Explained({ method, path }: { method: string; path: string }) {
  const t = platformTexts.value;
  return (
    <Loaded read={useView('explain', { method, path })} lines={8}>
      {({ data }) => (
        <>
          <p>
            <code>{`${data.method} ${data.path}`}</code>: <strong>{data.verdict}</strong>
          </p>
          <dl class="facts">
            <dt>{t.endpoint}</dt>
            <dd>
              <code>{data.endpoint}</code> {data.pattern !== null && <code class="soft">{data.pattern}</code>}
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
            rows={data.policies}
            rowKey={({ policy }) => policy}
            columns={[
              codeColumn('policy', t.policy),
              { key: 'does', title: t.does, cell: ({ does }) => does ?? '–' },
              {
                key: 'when',
                title: t.when,
                cell: ({ conditional }) => (conditional ? t.conditional : t.always),
              },
            ]}
          />
        </>
      )}
    </Loaded>
  );
}
