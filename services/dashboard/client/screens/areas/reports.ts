/** The screens of what a website did, each by the end of its path: one script. */
// biome-ignore-all assist/source/organizeImports: in this order they compress best
export { Events as events } from '../events/index.tsx';
export { Errors as errors } from '../errors/index.tsx';
export { Funnels as funnels } from '../funnels/index.tsx';
export { Goals as goals } from '../goals/index.tsx';
export { Now as now } from '../now/index.tsx';
export { Retention as retention } from '../retention/index.tsx';
export { Sources as sources } from '../sources/index.tsx';
export { Journeys as journeys } from '../journeys/index.tsx';
export { Visitors as visitors } from '../visitors/index.tsx';
export { Sessions as sessions } from '../sessions/index.tsx';
export { Pages as pages } from '../pages/index.tsx';
export { Speed as speed } from '../speed/index.tsx';
