/** A QR code as SVG, drawn in the page and saved as it is drawn. It is dark on white in every appearance, as cameras read it. */
import { correction, generate } from 'lean-qr/nano';
import { useMemo, useRef } from 'preact/hooks';
import { Button } from '../../design/button.tsx';
import { saveFile } from '../../exports/save-file.ts';
import { QUIET, qrPath } from './qr-path.ts';
import { linkTexts } from './texts.ts';

interface QrCodeProps {
  readonly address: string;
  /** Name of the file. */
  readonly file: string;
}

export function QrCode({ address, file }: QrCodeProps) {
  const t = linkTexts.value;
  const drawn = useRef<SVGSVGElement>(null);
  // At this level a seventh of it may be dirt or wear.
  const code = useMemo(() => generate(address, { minCorrectionLevel: correction.M }), [address]);
  const size = code.size + 2 * QUIET;
  const save = () => {
    if (drawn.current) saveFile(file, new XMLSerializer().serializeToString(drawn.current), 'image/svg+xml');
  };
  return (
    <>
      <svg
        class="qr-code"
        ref={drawn}
        xmlns="http://www.w3.org/2000/svg"
        viewBox={`0 0 ${size} ${size}`}
        role="img"
        aria-label={t.qrOf(address)}
      >
        <rect width={size} height={size} fill="#fff" />
        <path d={qrPath(code)} fill="#000" shape-rendering="crispEdges" />
      </svg>
      <p class="mono">{address}</p>
      <Button kind="primary" icon="download" onClick={save}>
        {t.download}
      </Button>
    </>
  );
}
