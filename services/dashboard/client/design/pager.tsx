/** The way through the pages of a list: the API tells where the next one begins, and the address holds that, so the browser's way back works. */
import { useAddress } from '../address.ts';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

export function Pager({ nextCursor }: { nextCursor: string | undefined }) {
  const { parameters, change } = useAddress();
  const t = texts.value.words;
  const isFirst = !parameters.cursor;
  if (isFirst && nextCursor === undefined) return null;
  return (
    <nav class="row screen-only" aria-label={t.pages}>
      {!isFirst && (
        <Button icon="chevron-left" onClick={() => change({ cursor: undefined })}>
          {t.firstPage}
        </Button>
      )}
      {nextCursor !== undefined && (
        <Button icon="chevron-right" onClick={() => change({ cursor: nextCursor })}>
          {t.nextPage}
        </Button>
      )}
    </nav>
  );
}
