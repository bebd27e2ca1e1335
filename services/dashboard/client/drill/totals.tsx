/** Totals of the scene as tiles that are only read: each with its name, what it means, and how it changed. */
import type { Read } from '../api/use-read.ts';
import { Definition } from '../design/definition.tsx';
import { NoNumber } from '../states/no-number.tsx';
import { PartFailed } from '../states/part-failed.tsx';
import { Placeholder } from '../states/skeleton.tsx';
import { useOldClass } from '../states/use-old.ts';
import { texts } from '../texts/texts.ts';
import { answerOf, previousOf, type QueryBatch } from '../website/batch.ts';
import { Change } from '../website/change.tsx';
import type { Question } from '../website/scene.ts';
import { numberText } from './cell-text.ts';
import { numberIn } from './number-in.ts';
import { drillTexts } from './texts.ts';
import type { Total } from './total.ts';

interface TotalsProps {
  /** What the batch asks for them. */
  readonly question: Question;
  readonly totals: readonly Total[];
  /** Titles by the keys of the totals; of those that are columns of lists too, the names there will do. */
  readonly titles?: Readonly<Record<string, string>>;
  /** Definitions by the keys; of those that the overview has too, its own will do. */
  readonly definitions?: Readonly<Record<string, string>>;
  readonly read: Read<QueryBatch>;
}

export function Totals({ question: { id }, totals, titles, definitions, read }: TotalsProps) {
  const titleOf: Readonly<Record<string, string>> = { ...drillTexts.value.columns, ...titles };
  const definitionOf: Readonly<Record<string, string>> = { ...overviewDefinitions(), ...definitions };
  const answers = [...new Set(totals.map(({ dataset }) => dataset))].map((dataset) =>
    answerOf(read.data, dataset, id),
  );
  const failed = answers.find((answer) => answer?.success === false);
  const isWaiting = read.fault === undefined;
  return (
    <section class={`card stack ${useOldClass(read.isOld)}`} aria-busy={read.isLoading}>
      {failed && <PartFailed answer={failed} again={read.again} />}
      <ul class="tiles">
        {totals.map(({ dataset, key, kind, needs, needsOf = dataset }) => {
          const answer = answerOf(read.data, dataset, id);
          const row = answer?.data[0];
          const base = answerOf(read.data, needsOf, id)?.data[0];
          const value = numberIn(row, key, needs, base);
          const before = previousOf(row);
          return (
            <li key={key} class="tile">
              <div>
                <span class="soft">{titleOf[key]}</span>
                <strong class="number">
                  {value !== null && numberText(value, kind)}
                  {value === null && (answer === undefined && isWaiting ? <Placeholder /> : <NoNumber />)}
                </strong>
                {value !== null && before && (
                  <Change
                    now={value}
                    before={numberIn(before, key, needs, previousOf(base))}
                    format={(each) => numberText(each, kind)}
                  />
                )}
              </div>
              {definitionOf[key] && <Definition term={titleOf[key] ?? ''} text={definitionOf[key]} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What the overview says of the measures, by their columns. */
function overviewDefinitions(): Readonly<Record<string, string>> {
  const { bounce, duration, ...same } = texts.value.overview.definitions;
  return { ...same, bounce_rate: bounce, median_session_duration: duration };
}
