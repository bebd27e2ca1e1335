/** The colour of a target group as a dot beside its name. */

/** No other text of the API becomes a colour of the page. */
const COLOR = /^#[0-9a-f]{6}$/i;

export function Swatch({ color }: { color: string }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <circle cx="12" cy="12" r="9" fill={COLOR.test(color) ? color : 'none'} />
    </svg>
  );
}
