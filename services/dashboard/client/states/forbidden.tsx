/** A screen that the role does not open: said at once, without asking the API for a refusal. */
import { Notice } from '../design/notice.tsx';
import { PageHead } from '../design/page-head.tsx';
import { texts } from '../texts/texts.ts';

export function Forbidden({ title }: { title: string }) {
  const t = texts.value.states;
  return (
    <>
      <PageHead title={title} />
      <Notice kind="bad">
        <strong>{t.forbidden}</strong>
        <p>{t.forbiddenHint}</p>
      </Notice>
    </>
  );
}
