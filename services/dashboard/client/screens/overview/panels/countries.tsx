/** The countries of the pageviews on the map of the world; the list beside it has all of them. */
import { useMemo } from 'preact/hooks';
import { WorldPlace } from '../../../map/world-place.tsx';
import { countryName, formatNumber } from '../../../texts/format.ts';
import { texts } from '../../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../../website/batch.ts';
import { COUNTRIES } from '../panels.ts';
import { shownList } from './shown-list.ts';
import { panelTexts } from './texts.ts';

export function Countries({ batch }: { batch: QueryBatch | undefined }) {
  const answer = answerOf(batch, COUNTRIES.dataset);
  const catalogue = texts.value;
  // 240 shapes: drawn anew for other numbers or another language alone.
  return useMemo(() => {
    const t = catalogue.overview;
    const { rows } = answer ? shownList(answer, COUNTRIES, Number.POSITIVE_INFINITY) : { rows: [] };
    return (
      <WorldPlace
        label={t.map(panelTexts.value.columns.pageviews)}
        numbers={new Map(rows.map(({ country, numbers }) => [country, numbers[0]]))}
        tell={(code, value) => `${countryName(code)}: ${formatNumber(value)}`}
        unit={panelTexts.value.columns.pageviews}
        none={t.mapNone}
        formatStep={({ from, to }) => t.mapLegend(formatNumber(from), formatNumber(to))}
      />
    );
  }, [answer, catalogue]);
}
