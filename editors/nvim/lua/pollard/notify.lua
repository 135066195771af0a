---@brief Messages to the user.

local M = {}

---@param message string
function M.info(message)
  vim.notify('Pollard: ' .. message, vim.log.levels.INFO)
end

---@param message string
function M.warn(message)
  vim.notify('Pollard: ' .. message, vim.log.levels.WARN)
end

---@param message string
function M.error(message)
  vim.notify('Pollard: ' .. message, vim.log.levels.ERROR)
end

--- Neovim's levels for LSP's MessageType: Error, Warning, Info, Log.
local LEVELS = {
  vim.log.levels.ERROR,
  vim.log.levels.WARN,
  vim.log.levels.INFO,
  vim.log.levels.DEBUG,
}
local RESERVED_COLUMNS = 24 -- Neovim scrolls a message that leaves fewer columns free

--- Shows a message of the server. A message of several lines makes Neovim wait for Enter, so it is
--- held back while the user types.
---@param params lsp.ShowMessageParams
function M.server_message(params)
  local message = 'Pollard: ' .. params.message
  local function show()
    vim.notify(message, LEVELS[params.type] or vim.log.levels.INFO)
  end
  local max_width = vim.o.columns - RESERVED_COLUMNS
  if message:find('\n', 1, true) or vim.fn.strdisplaywidth(message) > max_width then
    require('pollard.quiet').when_quiet(show)
  else
    show()
  end
end

return M
