/** The dark cells of a QR code as one path: a stroke of them is one piece of it. */

/** Cells that stay white around the code, as its standard asks (ISO/IEC 18004). */
export const QUIET = 4;

/** Cells by place; none is dark outside of the code. */
export interface Cells {
  readonly size: number;
  get(x: number, y: number): boolean;
}

export function qrPath(code: Cells): string {
  const pieces: string[] = [];
  for (let y = 0; y < code.size; y++) {
    for (let x = 0; x < code.size; x++) {
      if (!code.get(x, y)) continue;
      let end = x + 1;
      while (code.get(end, y)) end++;
      pieces.push(`M${x + QUIET} ${y + QUIET}h${end - x}v1h${x - end}z`);
      x = end;
    }
  }
  return pieces.join('');
}
