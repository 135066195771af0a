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

--- By LSP's MessageType: Error, Warning, Info, Log.
local LEVELS = {
  vim.log.levels.ERROR,
  vim.log.levels.WARN,
  vim.log.levels.INFO,
  vim.log.levels.DEBUG,
}
local PROMPT_WIDTH = 24 -- what Neovim keeps free at the end of a message that does not scroll

--- A message of the server. One that needs more than a line makes Neovim wait for Enter, so it does
--- not come while you type.
---@param params lsp.ShowMessageParams
function M.of_server(params)
  local message = 'Pollard: ' .. params.message
  local function show()
    vim.notify(message, LEVELS[params.type] or vim.log.levels.INFO)
  end
  local room = vim.o.columns - PROMPT_WIDTH
  if message:find('\n', 1, true) or vim.fn.strdisplaywidth(message) > room then
    require('pollard.quiet').when_quiet(show)
  else
    show()
  end
end

return M
