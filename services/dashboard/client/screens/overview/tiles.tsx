/** The totals of the range; a tile picks what the chart draws. */
import { useState } from 'preact/hooks';
import { useLeft } from '../../api/use-left.ts';
import { afterPaint } from '../../design/after-paint.ts';
import { Definition } from '../../design/definition.tsx';
import { NoNumber } from '../../states/no-number.tsx';
import { Placeholder } from '../../states/skeleton.tsx';
import { texts } from '../../texts/texts.ts';
import { formatValue } from './formats.ts';
import { MEASURES, type Measure } from './measures.ts';
import { measured, type Values } from './model.ts';
import type { View } from './use-view.ts';

interface TilesProps {
  readonly view: View;
  /** Without them it keeps their place. */
  readonly totals: Values | undefined;
  /** Whether they are to come. */
  readonly isWaiting: boolean;
}

export function Tiles({ view, totals, isWaiting }: TilesProps) {
  const t = texts.value.overview;
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
        const value = totals === undefined ? null : measured(measure, totals);
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
            </button>
            <Definition term={t.measures[key]} text={t.definitions[key]} />
          </li>
        );
      })}
    </ul>
  );
}
