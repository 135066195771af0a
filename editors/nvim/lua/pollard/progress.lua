---@brief The progress of reductions, for status lines and `PollardProgress` autocommands.

local format = require('pollard.format')

local M = {}

--- The parameters of `pollard/progress`; docs/server.md describes each field.
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
---@field failureChanged boolean?
---@field others table[]?
---@field companions pollard.Companion[]? at the end, the files beside the document
---@field files integer? of a folder, the files that are left
---@field result string? of a folder at the end, the URI of the new one

local FINAL_STATES = { done = true, stopped = true, failed = true }
local SHOW_OUTCOME_MS = 5000
local REDRAW_MS = 100

--- The latest progress, by document URI.
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

--- Describes a reduction in one line.
---@param progress pollard.Progress
---@return string
function M.text(progress)
  if progress.state == 'checking' then
    return 'checking the oracle'
  elseif progress.state == 'failed' then
    return 'failed'
  end
  local figures = format.figures(progress)
  if progress.failureChanged then
    figures = figures .. ' · the failure has changed'
  end
  return progress.state == 'reducing' and figures or progress.state .. ': ' .. figures
end

--- Returns the text for the buffer's status line, '' if it is not being reduced.
---@param buf integer 0 for the current buffer
---@return string
function M.status(buf)
  if next(latest) == nil then -- a quick exit, since status lines are drawn often
    return ''
  end
  local progress = latest[vim.uri_from_bufnr(buf)]
  return progress and M.text(progress) or ''
end

--- Returns whether a reduction has ended.
---@param progress pollard.Progress
---@return boolean
function M.is_over(progress)
  return FINAL_STATES[progress.state] == true
end

--- Takes the server's report on a reduction, and announces it with an autocommand.
---@param progress pollard.Progress
function M.on_progress(progress)
  latest[progress.uri] = progress
  if FINAL_STATES[progress.state] then
    vim.defer_fn(function()
      if latest[progress.uri] == progress then
        M.forget(progress.uri)
      end
    end, SHOW_OUTCOME_MS)
  end
  redraw_soon()
  vim.api.nvim_exec_autocmds('User', {
    pattern = 'PollardProgress',
    modeline = false,
    data = progress,
  })
end

--- Drops a document's progress, for example because its server is gone.
---@param uri string
function M.forget(uri)
  if latest[uri] then
    latest[uri] = nil
    redraw_soon()
  end
end

return M
