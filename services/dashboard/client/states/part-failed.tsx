/** One dataset of a batch failed; the others of the answer are as they should be. */
import type { DatasetAnswer } from '../api/wire.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { Worded } from '../design/worded.tsx';
import { texts } from '../texts/texts.ts';

export function PartFailed({ answer, again }: { answer: DatasetAnswer; again: () => void }) {
  const t = texts.value.states;
  return (
    <Notice kind="bad">
      <strong>{t.oneFailed}</strong>
      {answer.error && (
        <p>
          <Worded text={{ english: answer.error }} />
        </p>
      )}
      <Button icon="refresh-cw" onClick={again}>
        {t.again}
      </Button>
    </Notice>
  );
}
