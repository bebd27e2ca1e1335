/** Datasets of the catalogue over the days that are chosen: picked by name, each as a table. What is asked stands in the address. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import type { DatasetAnswer } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Field } from '../../design/field.tsx';
import { Table } from '../../design/table.tsx';
import { Worded } from '../../design/worded.tsx';
import { ExportActs } from '../../exports/export-acts.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { timezone } from '../../texts/format.ts';
import { worded } from '../../texts/worded.ts';
import { cellOf, textOf } from './cells.ts';
import { sqlTexts } from './texts.ts';

interface Catalogue {
  readonly configs: Readonly<
    Record<string, { readonly arguments?: readonly { readonly required: boolean }[] }>
  >;
}

interface Days {
  readonly websiteId: string;
  readonly from: string;
  readonly to: string;
}

/** As many at once; the API takes more. */
const MOST_NAMES = 10;
const CATALOGUE = { path: '/v1/query/types' };

export function Datasets(days: Days) {
  const { parameters } = useAddress();
  const names = (parameters.datasets ?? '').split(',').filter(Boolean).slice(0, MOST_NAMES);
  return (
    <>
      <section class="card stack">
        <Loaded read={useRead<Catalogue>(CATALOGUE, { isKept: true })} lines={3}>
          {({ configs }) => <Picker configs={configs} names={names} />}
        </Loaded>
      </section>
      {names.length > 0 && <Answers {...days} names={names} />}
    </>
  );
}

/** Those that need more than a range, such as the steps of a funnel, have screens of their own. */
function Picker({ configs, names }: Catalogue & { names: readonly string[] }) {
  const t = sqlTexts.value;
  const { change } = useAddress();
  const [picked, pick] = useState('');
  const [refused, refuse] = useState<string>();
  const put = (all: readonly string[]) => change({ datasets: all.join(',') });
  const offered = Object.entries(configs)
    .filter(([name, config]) => !names.includes(name) && !config.arguments?.some(({ required }) => required))
    .map(([name]) => name);
  return (
    <form
      class="row"
      onSubmit={(event) => {
        event.preventDefault();
        // What is not offered stays, so that it can be mended where it was typed.
        if (!offered.includes(picked))
          return refuse(names.includes(picked) ? t.isPicked : t.notOffered(picked));
        put([...names, picked]);
        pick('');
      }}
    >
      <Field
        label={t.dataset}
        value={picked}
        onInput={(text) => {
          pick(text);
          refuse(undefined);
        }}
        fault={refused}
        suggestions={offered}
        isRequired
      />
      <Button type="submit">{t.add}</Button>
      {names.map((name) => (
        <Button
          key={name}
          icon="x"
          label={t.remove(name)}
          onClick={() => put(names.filter((one) => one !== name))}
        >
          {name}
        </Button>
      ))}
    </form>
  );
}

function Answers({ websiteId, from, to, names }: Days & { names: readonly string[] }) {
  const t = sqlTexts.value;
  const request = {
    method: 'POST' as const,
    path: '/v1/query',
    query: { website_id: websiteId },
    body: { parameters: names, startDate: from, endDate: to, timezone: timezone.value },
  };
  return (
    <section class="card stack">
      <Loaded read={useRead<{ data: readonly DatasetAnswer[] }>(request)} lines={8}>
        {({ data }) =>
          data.map(({ parameter, data: rows, error }) => {
            const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
            return (
              <div key={parameter} class="stack">
                <h2>{parameter}</h2>
                {error !== undefined && (
                  <p class="fault">
                    <Worded text={worded(error)} />
                  </p>
                )}
                {rows.length === 0 ? (
                  error === undefined && <p class="soft">{t.noRows}</p>
                ) : (
                  <Table
                    caption={parameter}
                    rows={rows.map((row, index) => ({ index, row }))}
                    rowKey={({ index }) => index}
                    columns={columns.map((name) => ({
                      key: name,
                      title: name,
                      isNumber: typeof rows[0]?.[name] === 'number',
                      cell: ({ row }: { row: DatasetAnswer['data'][number]; index: number }) => (
                        <bdi>{textOf(row[name])}</bdi>
                      ),
                    }))}
                  />
                )}
                <ExportActs
                  title={parameter}
                  file={parameter}
                  header={columns}
                  rows={rows.map((row) => columns.map((name) => cellOf(row[name])))}
                  request={{ ...request, body: { ...request.body, parameters: [parameter] } }}
                />
              </div>
            );
          })
        }
      </Loaded>
    </section>
  );
}
