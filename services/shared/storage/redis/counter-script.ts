/** The script that decides over all limits of one subject in Redis, so that a request is one atomic round trip. */

/**
 * KEYS: one per limit, all of one hash slot. ARGV, four per key: limit, window in ms, cost, sub-window in ms (0: fixed).
 * Reply: now in ms, admitted 0|1, then per key: remaining, reset in ms, violated 0|1; integers only.
 *
 * A value is text, `leave count` pairs, oldest first: so much leaves at that instant. A fixed window is one pair; a
 * sliding one has a pair per sub-window. Time is the server's. When it steps back, nothing lasts longer than a window
 * from then on. Keys outlive what they hold by a second, because the server may judge expiry by an older instant than TIME.
 */
export const COUNTER_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local texts = redis.call('MGET', unpack(KEYS))
local admitted = 1
local windows = {}
for index = 1, #KEYS do
  local at = (index - 1) * 4
  local window = {
    limit = tonumber(ARGV[at + 1]), length = tonumber(ARGV[at + 2]),
    cost = tonumber(ARGV[at + 3]), sub = tonumber(ARGV[at + 4]),
    leaves = {}, counts = {}, size = 0, used = 0, violated = 0, changed = false
  }
  if texts[index] then
    for leave, count in string.gmatch(texts[index], '(%d+) (%d+)') do
      leave = tonumber(leave)
      if leave > now + window.length then
        leave = now + window.length
        window.changed = true
      end
      if leave > now then
        window.size = window.size + 1
        window.leaves[window.size] = leave
        window.counts[window.size] = tonumber(count)
        window.used = window.used + tonumber(count)
      end
    end
  end
  if window.cost > 0 and window.used + window.cost > window.limit then
    window.violated = 1
    admitted = 0
  end
  windows[index] = window
end
local reply = { now, admitted }
for index = 1, #KEYS do
  local window = windows[index]
  local last = window.size
  if admitted == 1 and window.cost > 0 then
    local whole = now + window.length
    local same = last > 0 and (window.sub == 0
      or math.floor((window.leaves[last] - window.length) / window.sub) == math.floor(now / window.sub))
    if same then
      window.counts[last] = window.counts[last] + window.cost
      if window.sub > 0 then window.leaves[last] = whole end
    else
      last = last + 1
      window.leaves[last] = whole
      window.counts[last] = window.cost
    end
    window.size = last
    window.used = window.used + window.cost
    window.changed = true
  end
  if window.changed then
    local parts = {}
    for slot = 1, last do
      parts[slot] = string.format('%.0f %.0f', window.leaves[slot], window.counts[slot])
    end
    redis.call('SET', KEYS[index], table.concat(parts, ' '),
      'PX', string.format('%.0f', window.leaves[last] - now + 1000))
  end
  local reset = now + window.length
  if last > 0 then
    local slot = 1
    if window.violated == 1 then
      local left = window.used - window.counts[1]
      while slot < last and left + window.cost > window.limit do
        slot = slot + 1
        left = left - window.counts[slot]
      end
    end
    reset = window.leaves[slot]
  end
  local remaining = 0
  if window.violated == 0 then remaining = math.max(0, window.limit - window.used) end
  reply[#reply + 1] = remaining
  reply[#reply + 1] = reset
  reply[#reply + 1] = window.violated
end
return reply
`;
