---@brief Figures as people read them, the same way as in the server's messages.

local M = {}

---@param value number
---@return string
local function short(value)
  return value < 9.95 and ('%.1f'):format(value) or ('%.0f'):format(value)
end

--- "316 B", "3.1 kB"
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
      return short(value) .. ' ' .. unit
    end
  end
  return short(value / 1000) .. ' GB'
end

--- "12 s", "1 min 15 s"
---@param seconds number
---@return string
function M.duration(seconds)
  if seconds < 59.5 then
    return short(seconds) .. ' s'
  end
  local whole = math.floor(seconds + 0.5)
  return ('%d min %d s'):format(math.floor(whole / 60), whole % 60)
end

--- "1 run", "214 runs"
---@param number integer
---@param noun string
---@return string
function M.count(number, noun)
  return ('%d %s%s'):format(number, noun, number == 1 and '' or 's')
end

--- "316 B ← 3.9 kB · 443 runs"
---@param figures { bytes: integer, originalBytes: integer, runs: integer }
---@return string
function M.figures(figures)
  local sizes = M.size(figures.bytes) .. ' ← ' .. M.size(figures.originalBytes)
  return sizes .. ' · ' .. M.count(figures.runs, 'run')
end

return M
