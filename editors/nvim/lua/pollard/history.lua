---@brief Earlier reductions of a file: choose a text, compare it, restore it.

local choice = require('pollard.choice')
local format = require('pollard.format')
local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

local MAX_STEPS = 12
local MIN_RATIO = 1.2 -- between the sizes of neighbouring texts that are offered

--- A text of a record; number 0 is the original.
---@class pollard.Text
---@field number integer
---@field title string

--- Converts the server's "2026-11-21T14:02:11+00:00" (UTC) to "2026-11-21 14:02:11" in local time.
---@param iso string
---@return string
local function local_time(iso)
  local y, mo, d, h, mi, s = iso:match('^(%d+)-(%d+)-(%d+)T(%d+):(%d+):(%d+)')
  if not y then
    return iso
  end
  local fields = { year = y, month = mo, day = d, hour = h, min = mi, sec = s, isdst = false }
  local as_local = os.time(fields)
  local shift = os.difftime(as_local, os.time(os.date('!*t', as_local) --[[@as osdateparam]]))
  return tostring(os.date('%Y-%m-%d %H:%M:%S', as_local + shift))
end

---@param record table
---@return string
local function record_title(record)
  local when = local_time(record.started)
  if record.status == 'kept' then
    return ('%s  %s, kept before a restore'):format(when, format.size(record.originalBytes))
  end
  local about = { format.figures(record), format.duration(record.seconds), record.oracle }
  return ('%s  %s · %s'):format(when, table.concat(about, ' · '), record.status)
end

---@param step table
---@param total integer
---@return pollard.Text
local function step_text(step, total)
  local size, place = format.size(step.bytes), ('step %d of %d'):format(step.number, total)
  local cost = format.count(step.runs, 'run') .. ' and ' .. format.duration(step.seconds)
  local title = ('%s, %s, after %s, by %s'):format(size, place, cost, step.pass)
  return { number = step.number, title = title }
end

--- Returns the texts of a record to offer: the last one, up to eleven earlier ones, the original.
---@param record table
---@return pollard.Text[]
function M.texts(record)
  local chosen, min_bytes = {}, 0
  for index = #record.steps, 1, -1 do
    local step = record.steps[index]
    if step.bytes >= min_bytes and #chosen < MAX_STEPS then
      table.insert(chosen, step_text(step, record.steps[#record.steps].number))
      min_bytes = step.bytes * MIN_RATIO
    end
  end
  local original = format.size(record.originalBytes)
  local what = record.status == 'kept' and 'what you had' or 'the original'
  table.insert(chosen, { number = 0, title = ('%s, %s'):format(original, what) })
  return chosen
end

--- Splits a text into lines as a buffer with the file format of `buf` shows them.
---@param buf integer
---@param text string
---@return string[]
local function split_lines(buf, text)
  local lines = vim.split(text, '\n', { plain = true })
  if #lines > 1 and lines[#lines] == '' then
    table.remove(lines)
  end
  if vim.bo[buf].fileformat ~= 'dos' then
    return lines
  end
  return vim.tbl_map(function(line)
    return (line:gsub('\r$', ''))
  end, lines)
end

---@class pollard.Version
---@field buf integer the file's buffer
---@field record string
---@field number integer
---@field title string

--- Closes the diff and restores the text.
---@param version pollard.Version
local function restore(version)
  vim.cmd.tabclose()
  local arguments = { record = version.record, number = version.number }
  server.with_client(version.buf, function(client)
    server.execute(client, version.buf, 'pollard.restore', arguments)
  end)
end

---@param version pollard.Version
---@param scratch integer
local function map_keys(version, scratch)
  local function call()
    restore(version)
  end
  vim.keymap.set('n', 'R', call, { buffer = scratch, nowait = true, desc = 'Restore this text' })
  vim.keymap.set('n', 'q', '<Cmd>tabclose<CR>', { buffer = scratch, nowait = true, desc = 'Close' })
  vim.api.nvim_buf_create_user_command(scratch, 'PollardRestore', call, {
    desc = 'Restore this text',
  })
end

--- Opens a tab with the text on the left and the file's buffer on the right, as a diff.
---@param version pollard.Version
---@param text string
local function open(version, text)
  local name = vim.fs.basename(vim.api.nvim_buf_get_name(version.buf))
  local path = ('%s/%s/%d'):format(name, version.record, version.number)
  local scratch = require('pollard.scratch').create(path, split_lines(version.buf, text))
  vim.cmd.tabnew({ mods = { silent = true } })
  local empty = vim.api.nvim_get_current_buf()
  vim.api.nvim_win_set_buf(0, version.buf)
  vim.api.nvim_buf_delete(empty, { force = true })
  vim.cmd.diffthis()
  vim.cmd('aboveleft vertical sbuffer ' .. scratch)
  vim.bo[scratch].filetype = vim.bo[version.buf].filetype
  vim.cmd.diffthis()
  vim.wo.winbar = (version.title .. '  [R restores this, q closes]'):gsub('%%', '%%%%')
  map_keys(version, scratch)
end

---@param client vim.lsp.Client
---@param buf integer
---@param record table
local function choose_text(client, buf, record)
  local prompt = 'Which text? It opens beside the file as it is now.'
  choice.one(M.texts(record), prompt, function(text)
    return text.title
  end, function(text)
    local version = { buf = buf, record = record.id, number = text.number, title = text.title }
    local arguments = { record = record.id, number = text.number }
    server.execute(client, buf, 'pollard.history', arguments, function(result)
      open(version, result.text)
    end)
  end)
end

--- Lets the user choose a text of an earlier reduction of the buffer, and shows it.
---@param buf integer
function M.choose(buf)
  server.with_client(buf, function(client)
    server.execute(client, buf, 'pollard.history', {}, function(result)
      local newest_first = vim.iter(result.records):rev():totable()
      if #newest_first == 0 then
        return notify.warn('this file has not been reduced yet')
      end
      choice.one(newest_first, 'Which reduction?', record_title, function(record)
        choose_text(client, buf, record)
      end)
    end)
  end)
end

return M
