/** Asks before somebody leaves while a key's secret is on its way, or shown and not yet stored. */
import { useLeaveGuard } from '../../address.ts';
import { Button } from '../../design/button.tsx';
import { Dialog } from '../../design/dialog.tsx';
import { keysTexts } from './texts.ts';

interface LeaveQuestionProps {
  readonly text: string;
  /** Told when somebody leaves all the same. */
  readonly onLeave: () => void;
}

export function LeaveQuestion({ text, onLeave }: LeaveQuestionProps) {
  const t = keysTexts.value;
  const guard = useLeaveGuard(onLeave);
  if (!guard.isAsking) return null;
  return (
    <Dialog title={t.leaveTitle} onClose={guard.stay}>
      <p>{text}</p>
      <div class="row">
        <Button kind="primary" onClick={guard.stay}>
          {t.stay}
        </Button>
        <Button kind="danger" onClick={guard.leave}>
          {t.leave}
        </Button>
      </div>
    </Dialog>
  );
}

/** Nothing is to be forgotten yet: the secret has not come. */
export const nothingToForget = (): void => {};
