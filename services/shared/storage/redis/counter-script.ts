/** The script that decides over all limits of one subject in Redis, so that a request costs one atomic round trip. */

/**
 * KEYS: one per limit, all in one hash slot. ARGV, six per key: limit, window in ms, cost, sub-window in ms (0: fixed;
 * -1 and -2: the day and the month of the calendar in UTC, whose window is what is left of them), what must be left,
 * and shadow 0|1.
 * Reply: now in ms, admitted 0|1, then per key: remaining, reset in ms, violated 0|1, or 2 where a limit in shadow would
 * have refused; integers only.
 *
 * A value is text, `leave count` pairs, oldest first: this count leaves at that instant. A fixed window is one pair; a
 * sliding one has a pair per sub-window. Time is the server's. When it steps back, nothing lasts longer than a window
 * from then on. Keys outlive their content by a second, because the server may judge expiry by an older instant than
 * TIME.
 */
export const COUNTER_SCRIPT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
local texts = redis.call('MGET', unpack(KEYS))
local admitted = 1
local shadowed = 0
local windows = {}
for index = 1, #KEYS do
  local at = (index - 1) * 6
  local window = {
    limit = tonumber(ARGV[at + 1]), length = tonumber(ARGV[at + 2]),
    cost = tonumber(ARGV[at + 3]), sub = tonumber(ARGV[at + 4]), needs = tonumber(ARGV[at + 5]),
    shadow = ARGV[at + 6] == '1', leaves = {}, counts = {}, size = 0, used = 0, violated = 0, changed = false
  }
  if window.sub < 0 then
    local day = math.floor(now / 86400000)
    local ends = day + 1
    if window.sub == -2 then
      -- Years from March on, so that the leap day is the last (Hinnant, days from civil).
      local since = (day + 719468) % 146097
      local year = math.floor((since - math.floor(since / 1460) + math.floor(since / 36524)
        - math.floor(since / 146096)) / 365)
      local of = since - (365 * year + math.floor(year / 4) - math.floor(year / 100))
      local month = math.floor((5 * of + 2) / 153)
      local length = math.floor((153 * month + 155) / 5)
      if month == 11 then
        local leap = (year + 1) % 4 == 0 and ((year + 1) % 100 ~= 0 or (year + 1) % 400 == 0)
        length = leap and 366 or 365
      end
      ends = day - of + length
    end
    window.length = ends * 86400000 - now
    window.sub = 0
  end
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
  if window.needs > 0 and window.used + window.needs > window.limit then
    window.violated = 1
    if window.shadow then shadowed = 1 else admitted = 0 end
  end
  windows[index] = window
end
local reply = { now, admitted }
for index = 1, #KEYS do
  local window = windows[index]
  local last = window.size
  if admitted == 1 and window.cost > 0 and not (window.shadow and shadowed == 1) then
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
      while slot < last and left + window.needs > window.limit do
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
  reply[#reply + 1] = window.violated == 1 and window.shadow and 2 or window.violated
end
return reply
`;
