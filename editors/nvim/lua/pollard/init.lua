---@brief What other plugins and your configuration may call; all else is internal.

local M = {}

--- How the reduction of a buffer stands, for a status line: `3.1 kB ← 48 kB · 214 runs`.
---
--- Returns '' if the buffer is not being reduced. Anything but a number, such as what lualine gives
--- to its components, means the current buffer, which in a status line is the one of its window.
---@param buf? integer|any
---@return string
function M.status(buf)
  return require('pollard.progress').status(type(buf) == 'number' and buf or 0)
end

return M
