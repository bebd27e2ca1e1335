/** Starts nginx with Lua as a target of the nearest equal job: a key looked up in a table, two counted windows, an identity, a proxy. */
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { IDENTITY_HEADER } from '../../services/shared/identity/identity-token.ts';
import { freePort } from '../support/free-port.ts';
import { untilReady } from './bench-processes.ts';
import { PEER_IDENTITY } from './fastify-target.ts';
import { findNginx } from './nginx-upstream.ts';
import { MissingRequirement, type RunningTarget, type TargetContext } from './target.ts';
import { UNREACHED_LIMIT } from './tidegate-target.ts';

/** Where Debian puts the modules, in the order in which they are loaded. */
const MODULES = ['ndk_http_module.so', 'ngx_http_lua_module.so'].map((name) =>
  path.join('/usr/lib/nginx/modules', name),
);

/** Whether nginx and its module are there. */
export function hasNginxLua(): boolean {
  return findNginx() !== undefined && MODULES.every((module) => existsSync(module));
}

function configuration(context: TargetContext, port: number): string {
  const { folder, apiKey, upstreamUrl } = context;
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `${MODULES.map((module) => `load_module ${module};\n`).join('')}daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr error;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000000;
  keepalive_timeout 600s;
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join('\n  ')}
  lua_shared_dict limits 10m;
  init_by_lua_block {
    keys = { ["${apiKey}"] = {
      organization = "org_bench", identity = "${PEER_IDENTITY}",
      scopes = { ["/v1/query/websites"] = true, ["/track"] = true },
    } }
    windows = { { seconds = 10, limit = ${UNREACHED_LIMIT} }, { seconds = 60, limit = ${UNREACHED_LIMIT} } }
  }
  upstream backend {
    server ${new URL(upstreamUrl).host};
    keepalive 64;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port} backlog=1024;
    location / {
      set $identity "";
      access_by_lua_block {
        local caller = keys[ngx.var.http_x_api_key or ""]
        if not caller then return ngx.exit(401) end
        if not caller.scopes[ngx.var.uri] then return ngx.exit(403) end
        local now, least = ngx.now(), nil
        for _, window in ipairs(windows) do
          local begun = now - now % window.seconds
          local used = ngx.shared.limits:incr(caller.organization .. window.seconds .. begun, 1, 0, window.seconds)
          if used > window.limit then return ngx.exit(429) end
          if not least or window.limit - used < least.remaining then
            least = { limit = window.limit, remaining = window.limit - used, reset = begun + window.seconds }
          end
        end
        ngx.header["x-ratelimit-limit"] = least.limit
        ngx.header["x-ratelimit-remaining"] = least.remaining
        ngx.header["x-ratelimit-reset"] = least.reset
        ngx.var.identity = caller.identity
      }
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_set_header ${IDENTITY_HEADER} $identity;
      proxy_pass http://backend;
    }
  }
}
`;
}

/** Starts it. @throws MissingRequirement naming the package */
export async function startNginxLuaTarget(context: TargetContext): Promise<RunningTarget> {
  const nginx = findNginx();
  if (nginx === undefined || !hasNginxLua()) {
    throw new MissingRequirement(
      'nginx with Lua is not installed. On Debian or Ubuntu: apt-get install -y libnginx-mod-http-lua',
    );
  }
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const file = path.join(context.folder, 'nginx.conf');
  writeFileSync(file, configuration(context, port));
  const running = await context.processes.start(nginx, ['-p', context.folder, '-c', file], {
    processor: context.processor,
  });
  await untilReady(`${url}/v1/query/websites`, running, { 'x-api-key': context.apiKey });
  return { name: 'nginx-lua', url, process: running, keylessStatus: 401, tellsLimits: true };
}
