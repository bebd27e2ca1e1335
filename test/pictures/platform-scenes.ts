/** What is pictured of limits, requests and the whole platform. */
import { answerChanges, answerLargerPlans } from '../support/dashboard-looks.ts';
import type { Scene } from './scenes.ts';

const HOME = '/dashboard';

export const PLATFORM_SCENES: readonly Scene[] = [
  { name: 'limits', path: `${HOME}/organization/limits`, user: 'owner' },
  {
    name: 'requests-plans',
    path: `${HOME}/organization/requests?by=plans`,
    user: 'owner',
    prepare: answerLargerPlans,
  },
  { name: 'requests', path: `${HOME}/organization/requests`, user: 'owner' },
  { name: 'platform', path: `${HOME}/platform`, user: 'owner' },
  {
    name: 'platform-explain',
    path: `${HOME}/platform?view=explain&method=POST&path=/v1/query/custom&as=owner&organization=org_lighthouse`,
    user: 'owner',
  },
  { name: 'platform-day', path: `${HOME}/platform?range=day`, user: 'owner' },
  { name: 'platform-upstreams', path: `${HOME}/platform?view=upstreams`, user: 'owner' },
  { name: 'platform-configuration', path: `${HOME}/platform?view=configuration`, user: 'owner' },
  {
    name: 'platform-changes',
    path: `${HOME}/platform?view=history&number=2`,
    user: 'owner',
    prepare: answerChanges,
  },
];
