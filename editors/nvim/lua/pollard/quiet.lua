---@brief Waits until you are not typing.
---
--- A question that comes while you type would take the next keys for its answer: they would be lost
--- for the buffer, and could agree to something unread.

local M = {}

local QUIET_MS = 400
local LOOK_MS = 50
-- The code action of a selection leaves Visual mode on. Modes with a second letter wait for a key.
local CALM = { n = true, v = true, V = true, ['\22'] = true }

---@return number milliseconds
local function now()
  return vim.uv.hrtime() / 1e6
end

--- Whether the mode is one in which nothing is being typed.
---@return boolean
function M.is_calm()
  local mode = vim.api.nvim_get_mode()
  return CALM[mode.mode] == true and not mode.blocking
end

--- Calls `call` in Normal or Visual mode, once no key has come for a while.
---@param call fun()
function M.when_quiet(call)
  local pressed = now()
  local keys = vim.on_key(function()
    pressed = now()
  end)
  local timer = assert(vim.uv.new_timer())
  local look = vim.schedule_wrap(function()
    local typing = not M.is_calm() or now() - pressed < QUIET_MS
    if typing or timer:is_closing() then
      return
    end
    timer:close()
    vim.on_key(nil, keys)
    call()
  end)
  timer:start(LOOK_MS, LOOK_MS, look)
end

return M
