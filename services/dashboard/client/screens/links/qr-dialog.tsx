/** The QR code of a link over the page; what draws it is loaded when somebody opens it. */
import { useEffect, useState } from 'preact/hooks';
import type { LinkView } from '../../api/wire.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { Skeleton } from '../../states/skeleton.tsx';
import { Unloaded } from '../../states/unloaded.tsx';
import { texts } from '../../texts/texts.ts';
import { shortAddress } from './link-facts.tsx';
import type { QrCode } from './qr-code.tsx';
import { linkTexts } from './texts.ts';

interface QrDialogProps {
  readonly link: Pick<LinkView, 'slug'>;
  readonly onClose: () => void;
}

export function QrDialog({ link: { slug }, onClose }: QrDialogProps) {
  const [loaded, setLoaded] = useState<{ QrCode?: typeof QrCode } | null>(null);
  useEffect(() => {
    // A script that is gone is answered by one without the code in it.
    void import('./qr-code.tsx').then(
      (module: Partial<typeof import('./qr-code.tsx')>) => setLoaded(module),
      () => setLoaded({}),
    );
  }, []);
  return (
    <Dialog title={linkTexts.value.qr} onClose={onClose}>
      {loaded === null && <Skeleton lines={10} />}
      {loaded?.QrCode && <loaded.QrCode address={shortAddress(slug)} file={`${slug}.svg`} />}
      {loaded && !loaded.QrCode && <Unloaded />}
      <Button onClick={onClose}>{texts.value.words.close}</Button>
    </Dialog>
  );
}
