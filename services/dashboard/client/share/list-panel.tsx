/** A group of a share's lists: one is open, shows its first rows with bars, and more on demand. */
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../design/button.tsx';
import { Table } from '../design/table.tsx';
import { Tabs } from '../design/tabs.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { formatNumber, formatPercent } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { listTexts } from './list-texts.ts';
import { shareTexts } from './share-texts.ts';
import type { ShareGroup, ShareList } from './shown-lists.ts';
import { nameOf, numberIn, type Row, textIn } from './shown-names.ts';
import { type Answers, FEW } from './use-answers.ts';

/** Rows after "more". */
const MANY = 1_000;

interface ListPanelProps {
  readonly group: ShareGroup;
  readonly open: ShareList | undefined;
  readonly answers: Answers;
  /** Names the range: another one begins with its first rows. */
  readonly range: string;
  readonly onOpen: (dataset: string) => void;
}

export function ListPanel({ group, open, answers, range, onOpen }: ListPanelProps) {
  const t = listTexts.value;
  const title = t.groups[group.key];
  if (open === undefined) return null;
  const content = <OpenList key={`${open.dataset} ${range}`} list={open} answers={answers} />;
  return (
    <section class={`card panel panel-${group.key}`}>
      <h2>{title}</h2>
      {group.lists.length > 1 ? (
        <Tabs
          label={title}
          chosen={open.dataset}
          tabs={group.lists.map(({ dataset }) => ({ key: dataset, text: t.lists[dataset] }))}
          onChoose={onOpen}
        >
          {content}
        </Tabs>
      ) : (
        content
      )}
    </section>
  );
}

function OpenList({ list, answers }: { list: ShareList; answers: Answers }) {
  const t = shareTexts.value;
  const { dataset, leavesOut } = list;
  const [wanted, setWanted] = useState(FEW);
  const answer = answers.of(dataset);
  // One whose tab is opened later asks for itself alone.
  const isAsked = answer !== undefined || answers.isLoading;
  useEffect(() => {
    if (!isAsked && !answers.fault) answers.ask(dataset, FEW);
  }, [isAsked]);
  if (answer === undefined) {
    return <div class="rows">{answers.fault === undefined && <Skeleton lines={FEW} />}</div>;
  }
  if (!answer.success) return <PartFailed answer={answer} again={answers.again} />;
  const kept = answer.data.filter((row) => textIn(row, 'name') !== leavesOut);
  const rows = kept.slice(0, wanted);
  const hasMore = kept.length > rows.length || answer.data.length >= wanted + 2;
  return (
    <div class="rows">
      {rows.length === 0 ? <p class="soft nothing">{t.nothing}</p> : <Bars list={list} rows={rows} />}
      {hasMore && wanted < MANY && (
        <div class="row panel-foot screen-only">
          <Button
            kind="plain"
            isBusy={answers.isLoading}
            onClick={() => {
              setWanted(MANY);
              answers.ask(dataset, MANY);
            }}
          >
            {texts.value.words.more}
          </Button>
        </div>
      )}
    </div>
  );
}

function Bars({ list, rows }: { list: ShareList; rows: readonly Row[] }) {
  const t = shareTexts.value;
  const [first, second] = list.columns;
  const most = Math.max(1, numberIn(rows[0], first));
  return (
    <div class={rows.length > FEW ? 'bars long' : 'bars'}>
      <Table<Row>
        caption={listTexts.value.lists[list.dataset]}
        rows={rows}
        rowKey={(row) => `${textIn(row, 'country_code')} ${textIn(row, 'name')}`}
        columns={[
          {
            key: 'name',
            title: t.name,
            cell: (row) => {
              const name = nameOf(row, list.kind);
              return (
                <span class="bar" title={name}>
                  <span class="share" style={{ width: `${(numberIn(row, first) / most) * 100}%` }} />
                  <bdi>{name}</bdi>
                </span>
              );
            },
          },
          {
            key: first,
            title: t[list.unit],
            isNumber: true,
            cell: (row) => formatNumber(numberIn(row, first)),
          },
          {
            key: second,
            title: t.visitors,
            isNumber: true,
            cell: (row) => formatNumber(numberIn(row, second)),
          },
          {
            key: 'percentage',
            title: t.percent,
            isNumber: true,
            cell: (row) => <span class="soft">{formatPercent(numberIn(row, 'percentage'))}</span>,
          },
        ]}
      />
    </div>
  );
}
