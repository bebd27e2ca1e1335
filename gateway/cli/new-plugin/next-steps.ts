/** What is said after a plugin was written: how to try it, and how to switch it on. */

export interface WrittenPlugin {
  readonly files: ReadonlyMap<string, string>;
  /** The command that builds it and runs its test. */
  readonly tryIt: string;
  /** As `package` of system.config.yml names it. */
  readonly manifest: string;
}

export function nextSteps(name: string, { files, tryIt, manifest }: WrittenPlugin): string {
  const written = [...files.keys()].map((path) => `  ${path}`).join('\n');
  return `Written:
${written}

Build it and run its test:
  ${tryIt}

Switch it on. system.config.yml, below plugins:
  ${name}:
    package: ${manifest}
gateway.config.yml, in the list policies:
  ${name}
gateway.config.yml, in a pipeline, behind auth and before the policy that answers:
      - ${name}:
          - action: { header: x-team }

Check the configuration:
  npx tidegate check
Then start the server. A running one reloads the YAML by itself; restart it after each change of the code.
`;
}
