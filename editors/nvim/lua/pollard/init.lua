---@brief The public API, for other plugins and your configuration; all other modules are internal.

local M = {}

--- Describes the progress of a buffer's reduction, for a status line: `3.1 kB ← 48 kB · 214 runs`.
---
--- Returns '' if the buffer is not being reduced. Without a number it means the current buffer,
--- which in a status line is that of its window; lualine passes a table to its components.
---@param buf? integer|any
---@return string
function M.status(buf)
  return require('pollard.progress').status(type(buf) == 'number' and buf or 0)
end

return M
