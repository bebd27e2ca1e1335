/** The web vitals of the range as cards: each with its 75th percentile, how that is rated, and how many values are good, fair and poor. */
import type { Read } from '../../api/use-read.ts';
import { Definition } from '../../design/definition.tsx';
import { numberText } from '../../drill/cell-text.ts';
import { numberIn } from '../../drill/number-in.ts';
import { NoNumber } from '../../states/no-number.tsx';
import { PartFailed } from '../../states/part-failed.tsx';
import { Placeholder } from '../../states/skeleton.tsx';
import { useOldClass } from '../../states/use-old.ts';
import { formatPercent } from '../../texts/format.ts';
import {
  answerOf,
  type DatasetRow,
  numberOf,
  previousOf,
  type QueryBatch,
  textOf,
} from '../../website/batch.ts';
import { Change } from '../../website/change.tsx';
import { speedTexts } from './texts.ts';
import { RATINGS, type Rating, ratingOf, VITALS, type Vital } from './vitals.ts';

interface VitalCardsProps {
  /** The one that is shown over time. */
  readonly chosen: Vital;
  readonly onChoose: (vital: Vital) => void;
  readonly read: Read<QueryBatch>;
  /** The question of the batch that holds them. */
  readonly id: string | undefined;
}

export function VitalCards({ chosen, onChoose, read, id }: VitalCardsProps) {
  const t = speedTexts.value;
  const answer = answerOf(read.data, 'web_vitals', id);
  const isWaiting = answer === undefined && read.fault === undefined;
  return (
    <section class={`card stack ${useOldClass(read.isOld)}`} aria-busy={read.isLoading}>
      {answer?.success === false && <PartFailed answer={answer} again={read.again} />}
      <ul class="tiles vitals">
        {VITALS.map((vital) => {
          const { name } = vital;
          const row = answer?.data.find((each) => textOf(each, 'metric_name') === name);
          return (
            <li key={name} class="tile">
              <button type="button" aria-pressed={vital === chosen} onClick={() => onChoose(vital)}>
                <span class="soft">
                  {name} <span class="small">{t.vitals[name]}</span>
                </span>
                <Measured vital={vital} row={row} isWaiting={isWaiting} />
              </button>
              <Definition term={name} text={`${t.definitions[name]} ${t.p75}`} />
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface MeasuredProps {
  readonly vital: Vital;
  readonly row: DatasetRow | undefined;
  readonly isWaiting: boolean;
}

function Measured({ vital, row, isWaiting }: MeasuredProps) {
  const t = speedTexts.value;
  const value = numberIn(row, 'p75', 'samples');
  if (value === null || row === undefined) {
    return (
      <>
        <strong class="number">{isWaiting ? <Placeholder /> : <NoNumber />}</strong>
        <span class={isWaiting ? 'small soft to-come' : 'small soft'}>{t.none}</span>
      </>
    );
  }
  const before = previousOf(row);
  const format = (each: number) => numberText(each, vital.kind);
  return (
    <>
      <strong class="number">{format(value)}</strong>
      <span>
        <RatingBadge rating={ratingOf(vital, value)} />
      </span>
      {before && <Change now={value} before={numberIn(before, 'p75', 'samples')} format={format} />}
      <span class="ratings" aria-hidden="true">
        {RATINGS.map((rating) => (
          <span key={rating} class={rating} style={{ width: `${numberOf(row, rating)}%` }} />
        ))}
      </span>
      <span class="small soft">
        {RATINGS.map((rating) => t.share(formatPercent(numberOf(row, rating)), t.ratings[rating])).join(', ')}
      </span>
      <span class="small soft">{t.values(numberOf(row, 'samples'))}</span>
    </>
  );
}

const BADGES: Readonly<Record<Rating, string>> = { good: 'good', fair: 'warn', poor: 'bad' };

export function RatingBadge({ rating }: { rating: Rating }) {
  return <span class={`badge ${BADGES[rating]}`}>{speedTexts.value.ratings[rating]}</span>;
}
