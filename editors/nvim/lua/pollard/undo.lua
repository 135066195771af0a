---@brief Joins the edits of a reduction into one undo step.
---
--- In Normal mode Neovim makes each edit an undo step. An edit is joined with Pollard's last one
--- only if nothing else has changed the buffer since, that is, if `changedtick` is still the same:
--- the user's own edits stay steps of their own. In Insert mode Neovim decides what to join.

local M = {}

--- The `changedtick` after Pollard's last edit, by buffer.
---@type table<integer, integer>
local ticks = {}

---@param buf integer
local function join_previous_edit(buf)
  local inserting = vim.api.nvim_get_mode().mode:find('^[iR]') ~= nil
  if inserting or ticks[buf] ~= vim.api.nvim_buf_get_changedtick(buf) then
    return
  end
  vim.api.nvim_buf_call(buf, function()
    vim.cmd('silent! undojoin')
  end)
end

--- Applies an edit of the server, joined with the previous one if possible.
---@generic T
---@param buf integer
---@param apply fun(): T
---@return T result the result of `apply`
function M.apply_joined(buf, apply)
  join_previous_edit(buf)
  local result = apply()
  if vim.api.nvim_buf_is_loaded(buf) then
    ticks[buf] = vim.api.nvim_buf_get_changedtick(buf)
  end
  return result
end

--- Makes the next edit begin a new undo step.
---@param buf integer
function M.split(buf)
  ticks[buf] = nil
end

return M
