/** Does what takes long after the next paint, so that what somebody pressed shows first. */
export function afterPaint(act: () => void): void {
  const later = () => void setTimeout(act);
  // A tab that nobody sees paints nothing.
  if (document.hidden) later();
  else requestAnimationFrame(later);
}
