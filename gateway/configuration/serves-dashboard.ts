/** Whether a configuration serves pages where the dashboard is looked for. */
import type { Configuration } from './configuration.ts';

/** Where people open it. */
const DASHBOARD = '/dashboard';

/** Whether a pipeline with the policy `pages` answers {@link DASHBOARD}. */
export function servesDashboard({
  endpoints,
  pipelines,
}: Pick<Configuration, 'endpoints' | 'pipelines'>): boolean {
  const serving = new Set(
    pipelines.filter(({ steps }) => steps.some(({ policy }) => policy === 'pages')).map(({ name }) => name),
  );
  return endpoints.some(({ paths, pipeline }) => paths.includes(DASHBOARD) && serving.has(pipeline));
}
