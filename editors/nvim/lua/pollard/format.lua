---@brief Formats sizes, durations and counts as the server's messages do.

local M = {}

---@param value number
---@return string
local function two_digits(value)
  return value < 9.95 and ('%.1f'):format(value) or ('%.0f'):format(value)
end

--- Formats a size: "316 B", "3.1 kB".
---@param bytes integer
---@return string
function M.size(bytes)
  if bytes < 1000 then
    return bytes .. ' B'
  end
  local value = bytes
  for _, unit in ipairs({ 'kB', 'MB' }) do
    value = value / 1000
    if value < 999.5 then
      return two_digits(value) .. ' ' .. unit
    end
  end
  return two_digits(value / 1000) .. ' GB'
end

--- Formats a duration: "12 s", "1 min 15 s".
---@param seconds number
---@return string
function M.duration(seconds)
  if seconds < 59.5 then
    return two_digits(seconds) .. ' s'
  end
  local whole = math.floor(seconds + 0.5)
  return ('%d min %d s'):format(math.floor(whole / 60), whole % 60)
end

--- Formats a number with its noun: "1 run", "214 runs".
---@param number integer
---@param noun string
---@return string
function M.count(number, noun)
  return ('%d %s%s'):format(number, noun, number == 1 and '' or 's')
end

--- Summarises a reduction: "316 B ← 3.9 kB · 443 runs".
---@param figures { bytes: integer, originalBytes: integer, runs: integer }
---@return string
function M.figures(figures)
  local sizes = M.size(figures.bytes) .. ' ← ' .. M.size(figures.originalBytes)
  return sizes .. ' · ' .. M.count(figures.runs, 'run')
end

return M
