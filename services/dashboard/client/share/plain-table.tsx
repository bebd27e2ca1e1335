/** A dataset that the page of a share has no drawing for: its rows under the API's own names. */
import { Table } from '../design/table.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Skeleton } from '../states/skeleton.tsx';
import { formatNumber } from '../texts/format.ts';
import { shareTexts } from './share-texts.ts';
import type { Row } from './shown-names.ts';
import { type Answers, FEW } from './use-answers.ts';

interface Numbered {
  readonly index: number;
  readonly row: Row;
}

export function PlainTable({ dataset, answers }: { dataset: string; answers: Answers }) {
  const answer = answers.of(dataset);
  const names = Object.keys(answer?.data[0] ?? {});
  return (
    <section class="card panel">
      <h2>
        <code>{dataset}</code>
      </h2>
      {answer === undefined && <Skeleton lines={FEW} />}
      {answer?.success === false && <PartFailed answer={answer} again={answers.again} />}
      {answer?.success && answer.data.length === 0 && <p class="soft nothing">{shareTexts.value.nothing}</p>}
      {answer?.success && answer.data.length > 0 && (
        <Table<Numbered>
          caption={dataset}
          rows={answer.data.map((row, index) => ({ index, row }))}
          rowKey={({ index }) => index}
          columns={names.map((name) => ({
            key: name,
            title: name,
            isNumber: typeof answer.data[0]?.[name] === 'number',
            cell: ({ row }) => <bdi>{textOf(row[name])}</bdi>,
          }))}
        />
      )}
    </section>
  );
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '–' : JSON.stringify(value);
}
