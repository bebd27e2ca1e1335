/** Stands in for a screen whose script did not come: the network failed, or a new version keeps being put in its place. */
import { reload } from '../address.ts';
import { Button } from '../design/button.tsx';
import { Notice } from '../design/notice.tsx';
import { texts } from '../texts/texts.ts';

export function Unloaded() {
  const t = texts.value.states;
  return (
    <Notice kind="bad">
      <strong>{t.newVersionFailed}</strong>
      <Button icon="refresh-cw" onClick={reload}>
        {t.reload}
      </Button>
    </Notice>
  );
}
