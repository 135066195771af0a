---@brief The server's messages and standard error, in one buffer.

local M = {}

local MAX_MESSAGES = 1000
local TAIL_BYTES = 256 * 1024 -- Neovim never shortens its log

---@class pollard.Entry
---@field time string
---@field text string

---@type pollard.Entry[]
local messages = {}

--- Remembers a message of the server.
---@param text string
function M.note(text)
  table.insert(messages, { time = tostring(os.date('%Y-%m-%d %H:%M:%S')), text = text })
  if #messages > MAX_MESSAGES then
    table.remove(messages, 1)
  end
end

--- Returns the end of a file; '' if it cannot be read.
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

--- Extracts the server's standard error from Neovim's log, which quotes it as Lua does.
---@param path string
---@param program string
---@return pollard.Entry[]
local function stderr_entries(path, program)
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

--- Returns the server's program, as Neovim's log calls it.
---@return string
local function program()
  local command = (vim.lsp.config.pollard or {}).cmd
  return type(command) == 'table' and command[1] or 'pollard'
end

---@return string[]
local function lines()
  local path = vim.lsp.log.get_filename()
  local entries = vim.list_extend(stderr_entries(path, program()), messages)
  table.sort(entries, function(a, b)
    return a.time < b.time
  end)
  local shown = { 'Messages to this Neovim; the whole log of all servers: ' .. path, '' }
  for _, entry in ipairs(entries) do
    vim.list_extend(shown, vim.split(entry.time .. ' ' .. entry.text, '\n', { plain = true }))
  end
  return shown
end

--- Shows the log in a split, with the cursor at its end.
function M.open()
  local buf = require('pollard.scratch').create('log', lines())
  vim.cmd('botright sbuffer ' .. buf)
  vim.cmd('normal! G')
end

return M
