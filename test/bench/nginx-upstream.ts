/** The upstream behind every target: one nginx that answers a fixed JSON text, so that its cost is small and even. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../support/free-port.ts';
import { type BenchProcesses, untilReady } from './bench-processes.ts';

/** A request header with which a probe asks the upstream to show whether an identity header reached it. */
export const PROBE_HEADER = 'x-bench-probe';
/** The response header with which the upstream shows it. */
export const IDENTITY_SEEN_HEADER = 'x-bench-identity';

/** What the upstream answers to GET and POST: about 200 bytes, shaped like an answer of the query service. */
export const UPSTREAM_BODY = JSON.stringify({
  success: true,
  websites: [
    {
      id: 'web_01k3v9q2m5x7b8c4d6f0g1h2j3',
      name: 'Bench website',
      domain: 'bench.example.com',
      isPublic: false,
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  ],
  total: 1,
});

export interface Upstream {
  readonly url: string;
  /** Requests that the upstream has answered so far. */
  answered(): Promise<number>;
}

/** Command that starts nginx, which Debian keeps out of an ordinary user's PATH; undefined: it is not installed. */
export function findNginx(): string | undefined {
  return ['nginx', '/usr/sbin/nginx', '/usr/local/sbin/nginx'].find(
    (command) => spawnSync(command, ['-v'], { stdio: 'ignore' }).error === undefined,
  );
}

/** The command. Skips the suite with its reason printed when there is none. */
export function requireNginx(suite: { skip(): never }): string {
  const command = findNginx();
  if (command !== undefined) return command;
  process.stderr.write(
    '      skipped: it needs nginx (apt-get install -y nginx-light), then npm run test:all runs it\n',
  );
  return suite.skip();
}

function configuration(folder: string, port: number): string {
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  default_type application/json;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  map $http_x_gateway_identity $identity { default absent; "~." present; }
  map $http_x_bench_probe $shown { default ""; "1" $identity; }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    add_header ${IDENTITY_SEEN_HEADER} $shown;
    location = /bench/status { stub_status; }
    location / { return 200 '${UPSTREAM_BODY}'; }
  }
}
`;
}

/** Starts nginx with its files in `folder`. @throws when it does not start. */
export async function startNginxUpstream(
  processes: BenchProcesses,
  command: string,
  folder: string,
  processor: number | null,
): Promise<Upstream> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, port));
  const running = await processes.start(command, ['-p', folder, '-c', file], { processor });
  await untilReady(`${url}/`, running);
  return {
    url,
    async answered() {
      const text = await (await fetch(`${url}/bench/status`)).text();
      return Number(/^\s*\d+\s+\d+\s+(\d+)\s*$/m.exec(text)?.[1]);
    },
  };
}
