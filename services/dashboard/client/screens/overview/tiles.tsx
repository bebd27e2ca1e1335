/** The totals of the range; a tile picks what the chart draws. */
import { useState } from 'preact/hooks';
import { useLeft } from '../../api/use-left.ts';
import type { DatasetAnswer } from '../../api/wire.ts';
import { afterPaint } from '../../design/after-paint.ts';
import { Definition } from '../../design/definition.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { Placeholder } from '../../states/skeleton.tsx';
import { texts } from '../../texts/texts.ts';
import { Change } from '../../website/change.tsx';
import { formatValue } from '../../website/formats.ts';
import { MEASURES, type Measure } from './measures.ts';
import { measured, totalsBefore, totalsOf } from './model.ts';
import type { View } from './use-view.ts';

interface TilesProps {
  readonly view: View;
  /** Without them it keeps their place. */
  readonly totals: DatasetAnswer | undefined;
  /** Whether they are to come. */
  readonly isWaiting: boolean;
}

export function Tiles({ view, totals, isWaiting }: TilesProps) {
  const t = texts.value.overview;
  const now = totals && totalsOf(totals);
  const before = totals && totalsBefore(totals);
  /** Shown as pressed before the chart follows. */
  const [pressed, press] = useState<Measure | null>(null);
  const isLeft = useLeft();
  function choose(measure: Measure): void {
    press(measure);
    afterPaint(() => {
      if (isLeft()) return;
      press(null);
      view.showMeasure(measure);
    });
  }
  return (
    <ul class="tiles">
      {MEASURES.map((measure) => {
        const { key, kind } = measure;
        const value = now === undefined ? null : measured(measure, now);
        const previous = before === undefined ? null : measured(measure, before);
        return (
          <li key={key} class="tile">
            <button
              type="button"
              aria-pressed={measure === (pressed ?? view.measure)}
              onClick={() => choose(measure)}
            >
              <span class="soft">{t.measures[key]}</span>
              <strong class="number">
                {value !== null && formatValue(kind, value)}
                {value === null && (isWaiting ? <Placeholder /> : <NoNumber />)}
              </strong>
              {value !== null && before !== undefined && (
                <Change now={value} before={previous} format={(each) => formatValue(kind, each)} />
              )}
            </button>
            <Definition term={t.measures[key]} text={t.definitions[key]} />
          </li>
        );
      })}
    </ul>
  );
}
