/** The numbers of a share: totals, the line over time, and the lists that it shows, in one call. */
import { useEffect } from 'preact/hooks';
import { reload, useAddress } from '../address.ts';
import type { ShownShare } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { FaultNotice } from '../states/fault-notice.tsx';
import { useOldClass } from '../states/use-old.ts';
import { formatDays, formatSpan } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { ListPanel } from './list-panel.tsx';
import { PlainTable } from './plain-table.tsx';
import { RangeChoice } from './range-choice.tsx';
import {
  daysOf,
  type Frame,
  fieldsOf,
  frameOf,
  granularityOf,
  type Part,
  parametersOf,
  partOf,
} from './range-part.ts';
import { shareTexts } from './share-texts.ts';
import { DRAWN, GROUPS, SERIES, type ShareGroup, TOTALS } from './shown-lists.ts';
import { Totals } from './totals.tsx';
import { useAnswers } from './use-answers.ts';

interface SharedNumbersProps {
  readonly share: ShownShare;
  readonly token: string;
  /** Of a share with a password. */
  readonly ticket: string | null;
  /** The ticket counts no more. */
  readonly onLocked: () => void;
  /** The share was taken back, or has ended. */
  readonly onGone: () => void;
}

/** The lists of a group that the share shows. */
const sharedOf = (group: ShareGroup, { datasets }: ShownShare) =>
  group.lists.filter(({ dataset }) => datasets.includes(dataset));

export function SharedNumbers({ share, token, ticket, onLocked, onGone }: SharedNumbersProps) {
  const t = shareTexts.value;
  const { parameters, change } = useAddress();
  const { datasets } = share;
  const frame = frameOf(share, Date.now());
  const part = partOf(parameters, frame);
  const granularity = granularityOf(part, frame, share);
  const groups = GROUPS.map((group) => ({ key: group.key, lists: sharedOf(group, share) })).filter(
    ({ lists }) => lists.length > 0,
  );
  const openOf = ({ key, lists }: ShareGroup) =>
    lists.find(({ dataset }) => dataset === parameters[key]) ?? lists[0];
  const further = datasets.filter((each) => !DRAWN.includes(each));
  const heads = [TOTALS, SERIES].filter((each) => datasets.includes(each));
  const open = groups.flatMap((group) => openOf(group)?.dataset ?? []);
  const answers = useAnswers({
    ...{ token, ticket, fields: { ...fieldsOf(part), granularity } },
    datasets: [...heads, ...open, ...further],
  });
  const old = useOldClass(answers.isOld);
  const kind = answers.fault?.kind;
  useEffect(() => {
    if (kind === 'missing') onGone();
    if (kind === 'over') onLocked();
  }, [kind]);
  const show = (next: Part) => change(parametersOf(next));
  return (
    <main class="shared" id="content">
      <header class="page-head">
        <div class="row spread">
          <h1>
            <bdi>{share.name}</bdi>
          </h1>
          <div class="row screen-only">
            <RangeChoice frame={frame} part={part} onShow={show} />
            <Button icon="refresh-cw" label={t.refresh} isBusy={answers.isLoading} onClick={answers.again}>
              {''}
            </Button>
          </div>
        </div>
        <p class="lead row">
          <span>{rangeText(share, part, frame)}</span>
          <span>{t.zone(share.timezone)}</span>
        </p>
      </header>
      {kind === 'invalid' && (
        <Notice kind="bad">
          <strong>{t.outdated}</strong>
          <Button icon="refresh-cw" onClick={ticket === null ? reload : onLocked}>
            {t.reload}
          </Button>
        </Notice>
      )}
      {answers.fault && kind !== 'invalid' && kind !== 'missing' && kind !== 'over' && (
        <FaultNotice
          fault={answers.fault}
          at={answers.at}
          repeatsAt={answers.repeatsAt}
          again={answers.again}
        />
      )}
      <div class={`stack ${old}`} aria-busy={answers.isLoading}>
        {heads.length > 0 && (
          <Totals
            answers={answers}
            share={share}
            frame={frame}
            granularity={granularity}
            days={daysOf(part, frame)}
            onShow={show}
          />
        )}
        <div class="shared-panels">
          {groups.map((group) => (
            <ListPanel
              key={group.key}
              group={group}
              open={openOf(group)}
              answers={answers}
              range={JSON.stringify(part)}
              onOpen={(dataset) => change({ [group.key]: dataset }, true)}
            />
          ))}
          {further.map((dataset) => (
            <PlainTable key={dataset} dataset={dataset} answers={answers} />
          ))}
        </div>
      </div>
      <p class="brand">{texts.value.words.product}</p>
    </main>
  );
}

function rangeText({ from, to }: ShownShare, part: Part, frame: Frame): string {
  const days = daysOf(part, frame);
  if (days !== null) return formatDays(days.first, days.last);
  return from === null ? shareTexts.value.allTime : formatSpan(from, to);
}
