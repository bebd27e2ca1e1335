/** Who is there now: the batch of the screen tells it first, then it is asked again while somebody looks. */
import { HOME } from '../../address.ts';
import { useRead } from '../../api/use-read.ts';
import { Definition } from '../../design/definition.tsx';
import { texts } from '../../texts/texts.ts';
import { answerOf, type QueryBatch } from '../../website/batch.ts';
import { activeOf } from './model.ts';
import { activeRequest } from './questions.ts';
import type { View } from './use-view.ts';

const EVERY_SECONDS = 20;

interface ActiveProps {
  readonly view: View;
  readonly batch: QueryBatch | undefined;
  /** Whether the screen's request ended: then nothing is to come by it. */
  readonly hasEnded: boolean;
}

export function Active({ view, batch, hasEnded }: ActiveProps) {
  const t = texts.value.overview;
  const read = useRead<QueryBatch>(activeRequest(view), { everySeconds: EVERY_SECONDS, isLater: true });
  const people = activeOf(answerOf(read.data, 'active_stats')) ?? activeOf(answerOf(batch, 'active_stats'));
  if (people === undefined && hasEnded) return null;
  return (
    <span class="active row">
      {people === undefined ? (
        <span class="badge placeholder">
          <span class="to-come">{t.active(0)}</span>
        </span>
      ) : (
        <a
          class={people > 0 ? 'badge good' : 'badge'}
          href={`${HOME}/websites/${encodeURIComponent(view.websiteId)}/now`}
          title={texts.value.now.link}
        >
          {t.active(people)}
        </a>
      )}
      <Definition term={t.activeTerm} text={t.activeDefinition} />
    </span>
  );
}
