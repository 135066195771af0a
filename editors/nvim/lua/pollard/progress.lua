---@brief How the reductions stand, for status lines and for whoever listens to `PollardProgress`.

local format = require('pollard.format')

local M = {}

--- What `pollard/progress` carries; the server's reference describes each field.
---@class pollard.Progress
---@field id string
---@field uri string
---@field state 'checking'|'reducing'|'paused'|'done'|'stopped'|'failed'
---@field bytes integer
---@field originalBytes integer
---@field runs integer
---@field rate number
---@field guarded integer
---@field cacheHits integer
---@field invalid integer?
---@field timeouts integer?
---@field reductions integer
---@field pass string
---@field seconds number
---@field message string

local ENDS = { done = true, stopped = true, failed = true }
local LINGER_MS = 5000 -- so long an end is still shown
local REDRAW_MS = 100

---@type table<string, pollard.Progress>
local latest = {}
local redrawing = false

local function redraw_soon()
  if redrawing then
    return
  end
  redrawing = true
  vim.defer_fn(function()
    redrawing = false
    vim.cmd.redrawstatus({ bang = true })
  end, REDRAW_MS)
end

--- One line on a reduction.
---@param progress pollard.Progress
---@return string
function M.text(progress)
  if progress.state == 'checking' then
    return 'checking the oracle'
  elseif progress.state == 'failed' then
    return 'failed'
  end
  local figures = format.figures(progress)
  return progress.state == 'reducing' and figures or progress.state .. ': ' .. figures
end

--- What a status line of the buffer shows; '' if there is nothing to tell.
---@param buf integer 0 for the current buffer
---@return string
function M.status(buf)
  if next(latest) == nil then -- status lines are drawn often
    return ''
  end
  local progress = latest[vim.uri_from_bufnr(buf)]
  return progress and M.text(progress) or ''
end

--- The server told how a reduction stands.
---@param progress pollard.Progress
function M.on_progress(progress)
  latest[progress.uri] = progress
  if ENDS[progress.state] then
    vim.defer_fn(function()
      if latest[progress.uri] == progress then
        M.forget(progress.uri)
      end
    end, LINGER_MS)
  end
  redraw_soon()
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'PollardProgress',
    modeline = false,
    data = progress,
  })
end

--- There is nothing to tell of a document any more, because its server has gone, for example.
---@param uri string
function M.forget(uri)
  if latest[uri] then
    latest[uri] = nil
    redraw_soon()
  end
end

return M
