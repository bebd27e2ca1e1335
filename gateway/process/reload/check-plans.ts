/** Checks stored organizations against the plans: with a plan that no longer exists, every request of an organization would fail. */
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';

/** Runs at the start. @throws Error naming each organization on a plan that is not in `plans` */
export async function checkPlans(documents: DocumentStore, plans: readonly string[]): Promise<void> {
  const lost = (await documents.allOrganizations()).filter(({ plan }) => !plans.includes(plan));
  if (lost.length === 0) return;
  const list = lost.map(({ id, plan }) => `  ${id}: plan "${plan}"`).join('\n');
  throw new Error(`organizations on plans that plans.yml does not have (${plans.join(', ')}):\n${list}`);
}
