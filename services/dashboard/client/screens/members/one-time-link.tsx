/** A link that is shown once: to copy, with how long it works; it is gone from the page when the dialog closes. */
import { Button } from '../../design/button.tsx';
import { Copy } from '../../design/copy.tsx';
import { Notice } from '../../design/notice.tsx';
import { formatInstant } from '../../texts/format.ts';
import { membersTexts } from './texts.ts';

interface OneTimeLinkProps {
  readonly who: string;
  readonly link: string;
  readonly expiresAt: string;
  readonly onDone: () => void;
}

export function OneTimeLink({ who, link, expiresAt, onDone }: OneTimeLinkProps) {
  const t = membersTexts.value;
  return (
    <>
      <p>
        <bdi>{who}</bdi>
      </p>
      <Copy text={link} label={t.link} />
      <Notice kind="warn">
        <p>{t.handOver}</p>
        <p>{t.validUntil(formatInstant(expiresAt))}</p>
      </Notice>
      <div class="row">
        <Button kind="primary" onClick={onDone}>
          {t.done}
        </Button>
      </div>
    </>
  );
}
