/** What of goals stands on a screen of its own: each of them, all of them, and how one is made. */
import { useAddress } from '../../../address.ts';
import { may } from '../../../api/session.ts';
import { Button } from '../../../design/button.tsx';
import { sceneAddress } from '../../../website/website-links.ts';
import { panelTexts } from './texts.ts';

/** Tells the address of a goal, or of all, about what the overview is about. */
function useGoalsAddress(websiteId: string): (goal?: string) => string {
  const { parameters } = useAddress();
  return (goal) => sceneAddress(websiteId, 'goals', parameters, { goal });
}

/** Leads to one goal. */
export function GoalLink({ websiteId, id, name }: { websiteId: string; id: string; name: string }) {
  const addressOf = useGoalsAddress(websiteId);
  return (
    <a class="drill" href={addressOf(id)}>
      <bdi>{name}</bdi>
    </a>
  );
}

export function AllGoals({ websiteId }: { websiteId: string }) {
  const addressOf = useGoalsAddress(websiteId);
  return (
    <Button kind="plain" href={addressOf()}>
      {panelTexts.value.allGoals}
    </Button>
  );
}

export function NoGoal({ websiteId }: { websiteId: string }) {
  const addressOf = useGoalsAddress(websiteId);
  const t = panelTexts.value;
  return (
    <p class="soft nothing">
      {t.noGoal} {may('manage:websites') && <a href={addressOf()}>{t.makeGoal}</a>}
    </p>
  );
}
