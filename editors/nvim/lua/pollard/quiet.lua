---@brief Waits until the user stops typing.
---
--- A question that comes up while the user types would take the next keys as its answer. They would
--- not reach the buffer, and could agree to something unread.

local M = {
  --- How long no key must come before a question does.
  quiet_ms = 400,
}

local POLL_MS = 50
-- Visual mode counts, since it stays on after a code action for a selection. In modes whose name
-- has a second letter, Neovim waits for a key.
local CALM_MODES = { n = true, v = true, V = true, ['\22'] = true }

---@return number milliseconds
local function now()
  return vim.uv.hrtime() / 1e6
end

--- Returns whether Neovim is in a mode in which no text is being typed.
---@return boolean
function M.is_calm()
  local mode = vim.api.nvim_get_mode()
  return CALM_MODES[mode.mode] == true and not mode.blocking
end

--- Calls `call` in Normal or Visual mode, once no key has come for `quiet_ms`.
---@param call fun()
function M.when_quiet(call)
  local last_key = now()
  local keys = vim.on_key(function()
    last_key = now()
  end)
  local timer = assert(vim.uv.new_timer())
  local poll = vim.schedule_wrap(function()
    local typing = not M.is_calm() or now() - last_key < M.quiet_ms
    if typing or timer:is_closing() then
      return
    end
    timer:close()
    vim.on_key(nil, keys)
    call()
  end)
  timer:start(POLL_MS, POLL_MS, poll)
end

return M
