/** What `--help` of each command shows as examples; a test runs each through the parser of its command. */
import type { Command } from 'commander';

/** Lines by command, as they are typed. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  tidegate: ['tidegate start', 'tidegate explain POST /v1/query', 'tidegate keys create --help'],
  start: ['tidegate start', 'PORT=9000 DATA_DIR=/var/lib/tidegate tidegate start', 'tidegate start gateway'],
  check: [
    'tidegate check',
    'tidegate check ./my-config --json',
    'tidegate check --connect',
    'tidegate check --running',
  ],
  init: ['tidegate init my-config'],
  schema: ['tidegate schema', 'tidegate schema plans.yml', 'tidegate schema --out config/schemas'],
  routes: ['tidegate routes', 'tidegate routes --json'],
  explain: ['tidegate explain POST /v1/query', 'tidegate explain GET /v1/websites/web_1 --json'],
  diff: ['tidegate diff ./next', 'tidegate diff ./today ./next --exit-code', 'tidegate diff ./next --json'],
  import: [
    'tidegate import events.ndjson --website WEBSITE_ID --dry-run',
    'tidegate import events.ndjson --website WEBSITE_ID',
  ],
  export: [
    'tidegate export --website WEBSITE_ID --from 2025-01-01 --to 2025-01-31 --out january.ndjson',
    'tidegate export --website WEBSITE_ID --out all.ndjson --resume',
    'tidegate export --organization ORG > all.ndjson',
  ],
  keys: ['tidegate keys list', 'tidegate keys create --help'],
  'keys generate': ['tidegate keys generate', 'tidegate keys generate --prefix shop --count 3 --json'],
  'keys create': [
    'tidegate keys create --organization ORG --name Server --scopes track:events,read:data --access global',
    'tidegate keys create --organization ORG --name Shop --scopes track:events --access website --website WEBSITE_ID',
  ],
  'keys list': ['tidegate keys list', 'tidegate keys list --organization ORG --json'],
  'keys rotate': ['tidegate keys rotate KEY_ID', 'tidegate keys rotate KEY_ID --grace 3600'],
  'keys revoke': ['tidegate keys revoke KEY_ID'],
  organizations: ['tidegate organizations list', 'tidegate organizations update --help'],
  'organizations create': ['tidegate organizations create --name Acme --plan pro'],
  'organizations update': [
    'tidegate organizations update ORG --plan scale --limit perMinute=5000',
    'tidegate organizations update ORG --retention-days 90',
  ],
  'organizations list': ['tidegate organizations list', 'tidegate organizations list --json'],
  'organizations delete': ['tidegate organizations delete ORG', 'tidegate organizations delete ORG --yes'],
  users: ['tidegate users create --help'],
  'users create': ['tidegate users create --organization ORG --email ada@example.com --role admin'],
  'users reset-password': ['tidegate users reset-password ada@example.com'],
  'users operator': ['tidegate users operator ada@example.com --grant'],
  history: ['tidegate history list'],
  'history list': ['tidegate history list', 'tidegate history list --json'],
  'history show': ['tidegate history show 3', 'tidegate history show 3 plans.yml'],
  rollback: ['tidegate rollback 3'],
  unpin: ['tidegate unpin'],
  limits: ['tidegate limits ORG', 'tidegate limits ORG --json'],
  top: ['tidegate top', 'tidegate top --once --json', 'tidegate top --url http://127.0.0.1:9100 --every 10'],
  why: ['tidegate why req_Qx3vK1mB0a7Z42', 'tidegate why req_Qx3vK1mB0a7Z42 --json'],
  cache: ['tidegate cache purge'],
  'cache purge': ['tidegate cache purge'],
  secrets: ['tidegate secrets create secrets.json'],
  'secrets create': ['tidegate secrets create secrets.json'],
  'secrets reseal': ['tidegate secrets reseal'],
  salvage: ['tidegate salvage', 'DATA_DIR=/var/lib/tidegate tidegate salvage --json'],
  backup: ['tidegate backup --out /backups/today'],
  segments: ['tidegate segments list', 'tidegate segments verify'],
  'segments list': [
    'tidegate segments list',
    'tidegate segments list --organization ORG --website WEBSITE_ID --json',
  ],
  'segments verify': ['tidegate segments verify', 'tidegate segments verify --organization ORG --json'],
  'segments rebuild': [
    'tidegate segments rebuild --website WEBSITE_ID',
    'tidegate segments rebuild --organization ORG --json',
  ],
  migrate: ['tidegate migrate --dry-run', 'tidegate migrate'],
  copy: ['MONGODB_URI=mongodb://127.0.0.1:27017/tidegate tidegate copy --from embedded --to mongodb'],
  'new-plugin': ['tidegate new-plugin require-team'],
  completion: [
    'tidegate completion bash > /etc/bash_completion.d/tidegate',
    'eval "$(tidegate completion zsh)"',
  ],
};

/** Every command of a program with its full name; the program itself is the first. */
export function commandsOf(program: Command): [string, Command][] {
  const below = (parent: Command, before: string): [string, Command][] =>
    parent.commands.flatMap((command) => {
      const name = `${before}${command.name()}`;
      return [[name, command] as [string, Command], ...below(command, `${name} `)];
    });
  return [[program.name(), program], ...below(program, '')];
}

/** The examples of a command, by its full name. */
export function examplesOf(name: string): readonly string[] {
  return EXAMPLES[name] ?? [];
}

/** Adds its examples to the help of every command. */
export function addExamples(program: Command): void {
  for (const [name, command] of commandsOf(program)) {
    const lines = examplesOf(name).map((line) => `  ${line}`);
    if (lines.length > 0) command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
  }
}
