---@brief The files beside a buffer's file that were reduced after it, each with its result in a tab.

local M = {}

local MAX_TABS = 5

---@class pollard.Companion
---@field original string the URI of the file
---@field result string? the URI of what is left of it, vim.NIL if it is not needed
---@field bytes integer
---@field originalBytes integer

--- Opens a tab with a file and its result, as a difference.
---@param companion pollard.Companion
local function compare(companion)
  local original, result = vim.uri_to_fname(companion.original), vim.uri_to_fname(companion.result)
  vim.cmd.tabedit(vim.fn.fnameescape(original))
  vim.cmd('vertical rightbelow diffsplit ' .. vim.fn.fnameescape(result))
  vim.bo.readonly = true
end

--- Shows the differences once the user presses no key, so that no key meant for a buffer is lost.
---@param progress pollard.Progress
function M.on_progress(progress)
  local left = vim.tbl_filter(function(each)
    return type(each.result) == 'string'
  end, progress.companions or {})
  if #left > 0 then
    require('pollard.quiet').when_quiet(function()
      vim.tbl_map(compare, vim.list_slice(left, 1, MAX_TABS))
    end)
  end
end

return M
