---@brief What the server said: its messages, and what it wrote to standard error.

local M = {}

local MOST_NOTES = 1000
local TAIL_BYTES = 256 * 1024 -- Neovim's log grows without end

---@class pollard.Entry
---@field time string
---@field text string

---@type pollard.Entry[]
local notes = {}

--- Keeps a message of the server.
---@param text string
function M.note(text)
  table.insert(notes, { time = tostring(os.date('%Y-%m-%d %H:%M:%S')), text = text })
  if #notes > MOST_NOTES then
    table.remove(notes, 1)
  end
end

---@param path string
---@return string
local function tail(path)
  local file = io.open(path, 'rb')
  if not file then
    return ''
  end
  local size = file:seek('end')
  file:seek('set', math.max(0, size - TAIL_BYTES))
  local text = file:read('*a')
  file:close()
  return text
end

--- The server's standard error out of Neovim's log, which quotes it as Lua does.
---@param path string
---@param program string
---@return pollard.Entry[]
local function written(path, program)
  local entries = {}
  for line in tail(path):gmatch('[^\n]+') do
    local time, from, text = line:match('^%[ERROR%]%[([^%]]+)%].-"rpc"\t"(.-)"\t"stderr"\t"(.*)"$')
    if from == program then
      local plain = text:gsub('\\n', '\n'):gsub('\\t', '\t'):gsub('\\"', '"'):gsub('\\\\', '\\')
      table.insert(entries, { time = time, text = vim.trim(plain) })
    end
  end
  return entries
end

---@return string
local function program()
  local command = (vim.lsp.config.pollard or {}).cmd
  return type(command) == 'table' and command[1] or 'pollard'
end

---@return string[]
local function lines()
  local path = vim.lsp.log.get_filename()
  local entries = vim.list_extend(written(path, program()), notes)
  table.sort(entries, function(a, b)
    return a.time < b.time
  end)
  local shown = { 'Pollard, as told to this Neovim; the whole log of all servers: ' .. path, '' }
  for _, entry in ipairs(entries) do
    vim.list_extend(shown, vim.split(entry.time .. ' ' .. entry.text, '\n', { plain = true }))
  end
  return shown
end

--- Shows the log in a split, its end first.
function M.open()
  local buf = require('pollard.scratch').create('log', lines())
  vim.cmd('botright sbuffer ' .. buf)
  vim.cmd('normal! G')
end

return M
