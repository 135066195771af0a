---@brief Lists from which the user chooses.

local M = {}

--- Lets the user choose an item; takes it without asking if it is the only one.
---@param items table[]
---@param prompt string
---@param title fun(item: table): string
---@param call fun(item: table)
function M.one(items, prompt, title, call)
  if #items == 1 then
    return call(items[1])
  end
  vim.ui.select(items, { prompt = prompt, format_item = title, kind = 'pollard' }, function(item)
    if item then
      call(item)
    end
  end)
end

return M
