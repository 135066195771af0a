---@brief Other failures that the reductions of a file saw: choose one and reduce it.

local choice = require('pollard.choice')
local format = require('pollard.format')
local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

--- A failure of another kind, with the number that it has in its record.
---@class pollard.Other
---@field record string
---@field number integer
---@field title string

--- Returns the failures, the newest reduction first; of those with the same words only the newest.
---@param records table[]
---@return pollard.Other[]
local function offered(records)
  local others, known = {}, {}
  for _, record in vim.iter(records):rev():enumerate() do
    for _, other in ipairs(record.others or {}) do
      if not known[other.description] then
        known[other.description] = true
        local title = ('%s, %s'):format(other.description, format.size(other.bytes))
        table.insert(others, { record = record.id, number = other.number, title = title })
      end
    end
  end
  return others
end

--- Lets the user choose another failure, puts its text into the buffer and reduces it. That of a folder
--- is reduced into a new one.
---@param buf integer
---@param folder? string its URI
function M.choose(buf, folder)
  server.with_client(buf, function(client)
    server.execute(client, buf, 'pollard.history', { uri = folder }, function(result)
      local others = offered(result.records)
      if #others == 0 then
        local what = folder and 'folder' or 'file'
        return notify.warn(('no reduction of this %s has seen another failure'):format(what))
      end
      choice.one(others, 'Which failure do you want to reduce?', function(other)
        return other.title
      end, function(other)
        local arguments = { uri = folder, record = other.record, number = other.number }
        server.execute(client, buf, 'pollard.reduceOther', arguments)
      end)
    end)
  end)
end

--- At the end of a reduction that saw other failures, says so.
---@param progress pollard.Progress
function M.announce(progress)
  local number = #(progress.others or {})
  if number == 0 then
    return
  end
  local path = vim.uri_to_fname(progress.uri)
  local name, seen = vim.fs.basename(path), format.count(number, 'other failure')
  local command = progress.files and (':Pollard other ' .. path) or ':Pollard other'
  -- A second message at the same time as the server's would make Neovim wait for Enter.
  require('pollard.quiet').when_quiet(function()
    notify.info(('%s: %s seen; %s reduces one'):format(name, seen, command))
  end)
end

return M
