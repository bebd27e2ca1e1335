/** Judges stored organizations against the plans: one on a plan that is gone would fail at each of its requests. */
import type { DocumentStore } from '../services/shared/ports/document-store.ts';

/** The start is the time to say it. @throws Error naming each organization on a plan that `plans` does not have */
export async function checkPlans(documents: DocumentStore, plans: readonly string[]): Promise<void> {
  const lost = (await documents.allOrganizations()).filter(({ plan }) => !plans.includes(plan));
  if (lost.length === 0) return;
  const list = lost.map(({ id, plan }) => `  ${id}: plan "${plan}"`).join('\n');
  throw new Error(`organizations on plans that plans.yml does not have (${plans.join(', ')}):\n${list}`);
}
