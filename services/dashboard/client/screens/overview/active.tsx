/** Who is there now: the batch of the screen tells it first, then it is asked again while somebody looks. */
import { useRead } from '../../api/use-read.ts';
import { Definition } from '../../design/definition.tsx';
import { texts } from '../../texts/texts.ts';
import { activeOf, answerOf, type QueryBatch } from './model.ts';
import { activeRequest } from './questions.ts';
import type { View } from './use-view.ts';

const EVERY_SECONDS = 20;

export function Active({ view, batch }: { view: View; batch: QueryBatch | undefined }) {
  const t = texts.value.overview;
  const read = useRead<QueryBatch>(activeRequest(view), { everySeconds: EVERY_SECONDS, isLater: true });
  const people = activeOf(answerOf(read.data, 'active_stats')) ?? activeOf(answerOf(batch, 'active_stats'));
  return (
    <span class="active row">
      <span class={people ? 'badge good' : 'badge'}>
        {people === undefined ? <span class="to-come">{t.active(0)}</span> : t.active(people)}
      </span>
      <Definition term={t.activeTerm} text={t.activeDefinition} />
    </span>
  );
}
