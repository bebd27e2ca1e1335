/** A configuration of many routes, as a platform with many teams keeps it: the shipped files, and one included file for each team. */
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';

/** Endpoints of one team. */
export const PER_TEAM = 50;

/** The file of the team with this number. */
export function teamFile(directory: string, team: number): string {
  return join(directory, `teams/team${team}.yml`);
}

/** Writes it to `directory`; the routes of team 0 are `/team0/r0` and so on. `backend`: the origin of every team's service. */
export function writeLargeConfiguration(
  directory: string,
  routes: number,
  backend: string,
  perTeam: number = PER_TEAM,
): void {
  cpSync(join(PACKAGE_ROOT, 'config'), directory, { recursive: true });
  const root = join(directory, 'gateway.config.yml');
  writeFileSync(root, `include: teams\n${readFileSync(root, 'utf8')}`);
  mkdirSync(join(directory, 'teams'));
  for (let team = 0; team < routes / perTeam; team++) {
    writeFileSync(teamFile(directory, team), teamText(`team${team}`, Math.min(perTeam, routes), backend));
  }
}

function teamText(team: string, count: number, backend: string): string {
  const names = Array.from({ length: count }, (_, index) => `${team}-${index}`);
  const endpoints = names.map(
    (name, index) => `  ${name}:
    paths: [/${team}/r${index}, "/${team}/r${index}/:id"]
    methods: [GET, POST]
    scopes: [read:data]
`,
  );
  return `apiEndpoints:
${endpoints.join('')}serviceEndpoints:
  ${team}: { url: "${backend}" }
pipelines:
  ${team}:
    apiEndpoints: [${names.join(', ')}]
    policies:
      - auth:
      - body:
      - scopes:
      - rate-limit:
      - proxy:
          - action: { serviceEndpoint: ${team} }
`;
}
