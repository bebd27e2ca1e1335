/** A screen that the role does not open: said at once, without asking the API for a refusal. */
import { Notice } from '../design/notice.tsx';
import { PageHead } from '../design/page-head.tsx';
import { texts } from '../texts/texts.ts';

interface ForbiddenProps {
  readonly title: string;
  /** Who opens it to others; absent: owners and admins do. */
  readonly hint?: string;
}

export function Forbidden({ title, hint }: ForbiddenProps) {
  const t = texts.value.states;
  return (
    <>
      <PageHead title={title} />
      <Notice kind="bad">
        <strong>{t.forbidden}</strong>
        <p>{hint ?? t.forbiddenHint}</p>
      </Notice>
    </>
  );
}
