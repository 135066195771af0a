---@brief Makes the edits of a reduction one undo step.
---
--- Neovim makes one of each edit that comes in Normal mode. An edit is joined with the one before
--- it only if nothing else has touched the buffer since: `changedtick` is the same. So what you
--- typed stays a step of its own. In Insert mode Neovim joins whatever comes, and is left to it.

local M = {}

--- The `changedtick` that Pollard's last edit left, by buffer.
---@type table<integer, integer>
local ticks = {}

---@param buf integer
local function join_with_last_edit(buf)
  local inserting = vim.api.nvim_get_mode().mode:find('^[iR]') ~= nil
  if inserting or ticks[buf] ~= vim.api.nvim_buf_get_changedtick(buf) then
    return
  end
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('silent! undojoin')
  end)
end

--- Applies an edit of the server.
---@generic T
---@param buf integer
---@param apply fun(): T
---@return T what `apply` returned
function M.joined(buf, apply)
  join_with_last_edit(buf)
  local answer = apply()
  if vim.api.nvim_buf_is_loaded(buf) then
    ticks[buf] = vim.api.nvim_buf_get_changedtick(buf)
  end
  return answer
end

--- The next edit begins a step of its own.
---@param buf integer
function M.split(buf)
  ticks[buf] = nil
end

return M
