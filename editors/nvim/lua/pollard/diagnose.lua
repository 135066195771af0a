---@brief Says what Neovim's own tools report about a candidate of a reduction.
---
--- Each candidate is in a new buffer that nobody sees, so that a diagnostic there cannot be about an
--- earlier one. The language servers of the original get it as a file of the same name in a folder
--- that does not exist, so that the settings of the project hold for it.

local M = {}

local SETTLE_MS = 50
local REQUEST_FAILED = -32803

---@class pollard.DiagnoseParams
---@field uri string
---@field name string
---@field languageId string
---@field text string
---@field source string
---@field seconds number

local count = 0

--- Returns the clients of a buffer, without Pollard's own.
---@param buf integer
---@return vim.lsp.Client[]
local function servers(buf)
  return vim.tbl_filter(function(client)
    return client.name ~= 'pollard'
  end, vim.lsp.get_clients({ bufnr = buf }))
end

--- Calls `call` while autocommands for these events are off.
---@param events string
---@param call fun()
local function without(events, call)
  local before = vim.o.eventignore
  vim.o.eventignore = events
  local ok, problem = pcall(call)
  vim.o.eventignore = before
  if not ok then
    error(problem, 0)
  end
end

---@param buf integer
---@param text string
local function fill(buf, text)
  local ends = vim.endswith(text, '\n')
  vim.bo[buf].fixendofline = false
  vim.bo[buf].endofline = ends
  local lines = vim.split(ends and text:sub(1, -2) or text, '\n', { plain = true })
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
end

--- Creates a buffer with a candidate. Its file type loads no plug-ins, and starts no servers.
---@param original integer
---@param params pollard.DiagnoseParams
---@return integer buf
local function hidden(original, params)
  count = count + 1
  local folder = vim.fs.dirname(vim.api.nvim_buf_get_name(original))
  local name = vim.fs.joinpath(folder, 'pollard.' .. count, params.name)
  local buf = vim.api.nvim_create_buf(false, true)
  without('all', function()
    vim.api.nvim_buf_set_name(buf, name)
    fill(buf, params.text)
    vim.bo[buf].filetype = vim.bo[original].filetype
  end)
  return buf
end

--- Gives a buffer to servers; Neovim itself requests diagnostics only for buffers that are visible.
---@param buf integer
---@param clients vim.lsp.Client[]
local function show_to(buf, clients)
  local document = { textDocument = { uri = vim.uri_from_bufnr(buf) } }
  without('LspAttach', function()
    for _, client in ipairs(clients) do
      vim.lsp.buf_attach_client(buf, client.id)
      if client:supports_method('textDocument/diagnostic') then
        client:request('textDocument/diagnostic', document, nil, buf)
      end
    end
  end)
end

--- Returns whether a buffer has a diagnostic of a source, which is written without blanks.
---@param buf integer
---@param source string
---@return boolean
local function has(buf, source)
  return vim.iter(vim.diagnostic.get(buf)):any(function(diagnostic)
    return (diagnostic.source or ''):gsub('%s', '') == source
  end)
end

--- Waits until diagnostics of the source are there, or the time is over. Other code runs meanwhile.
---@param buf integer
---@param params pollard.DiagnoseParams
local function wait(buf, params)
  local waiting = coroutine.running()
  local settled, over ---@type uv.uv_timer_t?, uv.uv_timer_t?
  local function go_on()
    coroutine.resume(waiting)
  end
  local autocmd = vim.api.nvim_create_autocmd('DiagnosticChanged', {
    buffer = buf,
    callback = function()
      if settled then
        settled:stop()
      end
      settled = has(buf, params.source) and vim.defer_fn(go_on, SETTLE_MS) or nil
    end,
  })
  over = vim.defer_fn(go_on, math.floor(params.seconds * 1000))
  coroutine.yield()
  pcall(vim.api.nvim_del_autocmd, autocmd)
  for _, timer in ipairs({ settled or over, over }) do
    timer:stop()
  end
end

--- Answers `pollard/diagnose`; must be called in a coroutine, as the handlers of requests are.
---@param params pollard.DiagnoseParams
---@return table? answer
---@return lsp.ResponseError? err
function M.answer(params)
  local original = vim.uri_to_bufnr(params.uri)
  local clients = servers(original)
  if #clients == 0 then
    local message = 'no other language server is attached to the buffer'
    return nil, vim.lsp.rpc.rpc_response_error(REQUEST_FAILED, message)
  end
  local buf = hidden(original, params)
  show_to(buf, clients)
  wait(buf, params)
  local found = vim.tbl_map(require('pollard.shown').of_protocol, vim.diagnostic.get(buf))
  pcall(vim.api.nvim_buf_delete, buf, { force = true })
  return { diagnostics = found }
end

return M
