/** The dialogs that keys open, loaded when the first of them is wanted. */
import type { CommandDialog } from '../frame/use-keys.ts';
import { KeyHelp } from './key-help.tsx';
import { Palette } from './palette.tsx';

export function CommandDialogs({ open, onClose }: { open: CommandDialog; onClose: () => void }) {
  return open === 'palette' ? <Palette onClose={onClose} /> : <KeyHelp onClose={onClose} />;
}
