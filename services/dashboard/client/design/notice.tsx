/** A message that stands in the page; a fault is said at once by readers of the screen, anything else when they pause. */
import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

type Kind = 'info' | 'good' | 'warn' | 'bad';

const ICON: Readonly<Record<Kind, IconName>> = {
  info: 'info',
  good: 'circle-check',
  warn: 'triangle-alert',
  bad: 'circle-alert',
};

export function Notice({ kind = 'info', children }: { kind?: Kind; children: ComponentChildren }) {
  return (
    <div class={`notice ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      <Icon name={ICON[kind]} />
      <div class="text">{children}</div>
    </div>
  );
}
