/** The load of the ingest bench: events like those of a shop, each with an id of its own, alone or in arrays. */
import type { LoadRequest } from './wrk-load.ts';

/** How the events of a load come. */
export interface LoadShape {
  /** Open connections, each with one request at a time. */
  readonly callers: number;
  /** Events of one request; 1: a plain event, else an array. */
  readonly events: number;
}

/** Every shape that is measured. */
export const SHAPES: readonly LoadShape[] = [
  { callers: 1, events: 1 },
  { callers: 16, events: 1 },
  { callers: 64, events: 1 },
  { callers: 256, events: 1 },
  { callers: 16, events: 10 },
  { callers: 16, events: 100 },
];

/** What distinguishes one shape from another, for people. */
export function nameOf({ callers, events }: LoadShape): string {
  return `${events === 1 ? 'singles' : `arrays of ${events}`}, ${callers} ${callers === 1 ? 'caller' : 'callers'}`;
}

/** A browser's, so that reading it is part of what is measured. */
const USER_AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';

/** The request of a load; `run` makes its event ids differ from those of every other run. */
export function ingestRequest(
  shape: LoadShape,
  run: string,
  headers: Readonly<Record<string, string>>,
): LoadRequest {
  return {
    method: 'POST',
    path: '/track?website_id=web_bench',
    headers: { 'content-type': 'application/json', 'user-agent': USER_AGENT, ...headers },
    lua: `
local sent = 0
local function event()
  sent = sent + 1
  return '{"name":"checkout_completed","eventId":"${run}-' .. sent
    .. '","anonymousId":"anon_7c2a9f54-1b7e-4c1d-9a53-' .. (sent % 5000)
    .. '","sessionId":"sess_5e0b7c9a-' .. (sent % 9000)
    .. '","path":"https://bench.example.com/checkout/complete?utm_source=news&step=3"'
    .. ',"referrer":"https://www.google.com/","properties":{"plan":"pro","currency":"EUR","amount":' .. sent
    .. ',"coupon":null,"items":3,"returning":true}}'
end
request = function()
  local body
  if ${shape.events} == 1 then
    body = event()
  else
    local list = {}
    for i = 1, ${shape.events} do list[i] = event() end
    body = '[' .. table.concat(list, ',') .. ']'
  end
  return wrk.format(nil, nil, nil, body)
end
`,
  };
}
