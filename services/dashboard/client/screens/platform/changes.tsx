/** What one configuration of the history changed for whom, against the one that was in force before it. */
import { addressOf, useAddress } from '../../address.ts';
import type { PlatformData } from '../../api/wire.ts';
import { type Column, Table } from '../../design/table.tsx';
import { Loaded } from '../../states/loaded.tsx';
import { formatNumber } from '../../texts/format.ts';
import { platformTexts } from './texts.ts';
import { useView } from './use-view.ts';

type Change = PlatformData<'changes'>['changes'][number];

export function Changes({ number }: { number: string }) {
  const t = platformTexts.value;
  const { path } = useAddress();
  return (
    <>
      <p>
        <a href={addressOf(path, { view: 'history' })}>{t.views.history}</a>
      </p>
      <Loaded read={useView('changes', { number })} lines={8}>
        {({ data }) => <Shown data={data} />}
      </Loaded>
    </>
  );
}

function Shown({ data: { number, before, changes, moreChanges } }: { data: PlatformData<'changes'> }) {
  const t = platformTexts.value;
  if (before === null) return <p class="soft">{t.nothingCompared(formatNumber(number))}</p>;
  const title = t.changed(formatNumber(number), formatNumber(before));
  const columns: Column<Change>[] = [
    {
      key: 'name',
      title: t.subject,
      cell: ({ subject, name }) => (
        <>
          <span class="soft">{subject}</span> <code>{name}</code>
        </>
      ),
    },
    { key: 'kind', title: t.kind, cell: ({ kind }) => t.kinds[kind] },
    {
      key: 'differences',
      title: t.differences,
      cell: ({ differences, dangers }) => (
        <ul>
          {dangers.map((danger) => (
            <li key={danger}>
              <span class="badge bad">{danger}</span>
            </li>
          ))}
          {differences.map(({ part, from, to, concealed }) => (
            <li key={part}>
              {part}: {concealed ? t.concealed : <code>{`${from ?? '–'} → ${to ?? '–'}`}</code>}
            </li>
          ))}
        </ul>
      ),
    },
  ];
  return (
    <>
      <h2>{title}</h2>
      {changes.length === 0 ? (
        <p class="soft">{t.nothingChanged}</p>
      ) : (
        <Table
          caption={title}
          rows={changes}
          rowKey={({ subject, name }) => `${subject} ${name}`}
          columns={columns}
          stacks
        />
      )}
      {moreChanges > 0 && <p class="hint">{t.moreChanges(moreChanges)}</p>}
    </>
  );
}
