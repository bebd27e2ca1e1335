/** What clicks are made of: a panel of lists, of which one is open with its first rows, and all of it on demand. */
import { useState } from 'preact/hooks';
import { useAddress } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Button } from '../../design/button.tsx';
import { Table } from '../../design/table.tsx';
import { Tabs } from '../../design/tabs.tsx';
import type { Cell } from '../../exports/csv.ts';
import { ExportActs } from '../../exports/export-acts.tsx';
import type { Whole } from '../../exports/whole-list.ts';
import { FaultNotice } from '../../states/fault-notice.tsx';
import { PartFailed } from '../../states/part-failed.tsx';
import { formatNumber } from '../../texts/format.ts';
import { texts } from '../../texts/texts.ts';
import { askDataset } from '../../website/ask-dataset.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { nameOf } from '../../website/formats.ts';
import { type TopRow, topOf } from './model.ts';
import { FEW, type LinkScene, MOST, PANELS, type PanelName, type TopList, topRequest } from './questions.ts';
import { linkTexts } from './texts.ts';

const HEADER = ['name', 'country', 'clicks'] as const;

interface TopPanelProps {
  readonly panel: PanelName;
  /** The answer of the whole screen. */
  readonly batch: QueryBatch;
  readonly scene: LinkScene;
  readonly again: () => void;
}

export function TopPanel(props: TopPanelProps) {
  const t = linkTexts.value;
  const { parameters, change } = useAddress();
  const { panel } = props;
  const lists = PANELS[panel];
  const [first] = lists;
  const list = lists.find(({ name }) => name === parameters[panel]) ?? first;
  const content = <OpenList key={list.name} list={list} {...props} />;
  return (
    <div class="card panel">
      <h2>{t.panels[panel]}</h2>
      {lists.length > 1 ? (
        <Tabs
          label={t.panels[panel]}
          chosen={list.name}
          tabs={lists.map(({ name }) => ({ key: name, text: t.lists[name] }))}
          onChoose={(name) => change({ [panel]: name === first.name ? undefined : name }, true)}
        >
          {content}
        </Tabs>
      ) : (
        content
      )}
    </div>
  );
}

function OpenList({ list, batch, scene, again }: TopPanelProps & { readonly list: TopList }) {
  const t = linkTexts.value;
  const title = t.lists[list.name];
  // Another range begins with its first rows.
  const range = JSON.stringify(scene);
  const [opened, open] = useState('');
  const isAll = opened === range;
  const own = useRead<QueryBatch>(isAll ? topRequest(scene, list, MOST) : null);
  const isThere = isAll && !own.isOld && own.data !== undefined;
  const answer = answerOf(isThere ? own.data : batch, list.dataset);
  if (answer === undefined) return null;
  if (!answer.success) return <PartFailed answer={answer} again={isThere ? own.again : again} />;
  const { rows, hasMore } = topOf(answer, isThere ? MOST : FEW);
  return (
    <div class="rows" aria-busy={own.isLoading}>
      {isAll && own.fault && <FaultNotice fault={own.fault} repeatsAt={own.repeatsAt} again={own.again} />}
      <div class={isThere ? 'bars long' : 'bars'}>
        <Table
          caption={title}
          rows={rows}
          rowKey={({ name, country }) => `${country} ${name}`}
          columns={[
            { key: 'name', title: t.names[list.name], cell: (row) => <Bar row={row} kind={list.kind} /> },
            {
              key: 'clicks',
              title: t.clicks,
              isNumber: true,
              cell: (row) => formatNumber(row.clicks),
            },
          ]}
        />
      </div>
      <div class="row spread panel-foot">
        {hasMore || isAll ? (
          <Button kind="plain" isBusy={own.isLoading} onClick={() => open(isAll ? '' : range)}>
            {isAll ? texts.value.overview.fewer : texts.value.words.more}
          </Button>
        ) : (
          <span />
        )}
        <ExportActs
          title={title}
          file={list.dataset}
          header={HEADER}
          rows={rows.map(csvRow)}
          whole={hasMore ? () => wholeOf(scene, list) : undefined}
          request={topRequest(scene, list, isThere ? MOST : FEW)}
        />
      </div>
    </div>
  );
}

function Bar({ row, kind }: { row: TopRow; kind: TopList['kind'] }) {
  const name = nameOf(row.name, row.country, kind);
  return (
    <span class="bar" title={name}>
      <span class="share" style={{ width: `${row.share * 100}%` }} />
      <bdi>{name}</bdi>
    </span>
  );
}

const csvRow = ({ name, country, clicks }: TopRow): Cell[] => [name, country, clicks];

/** The whole list for a file, as far as the API answers it in one call. */
async function wholeOf(scene: LinkScene, list: TopList): Promise<Whole<readonly Cell[]>> {
  const answer = await askDataset(topRequest(scene, list, MOST), list.dataset);
  if (!answer.ok) return answer;
  const { rows, hasMore } = topOf(answer.body, MOST);
  return { ok: true, rows: rows.map(csvRow), isCut: hasMore };
}
