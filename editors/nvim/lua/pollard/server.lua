---@brief Finds the server of a buffer, starts it if there is none, and calls its commands.

local notify = require('pollard.notify')

local M = {}

local PATIENCE_MS = 20000 -- a slow machine needs seconds to start Python

---@param buf integer
---@return vim.lsp.Client?
function M.client(buf)
  local client = vim.lsp.get_clients({ bufnr = buf, name = 'pollard' })[1]
  if client then
    require('pollard.handlers').listen(client) -- the plugin may be loaded later than the server
  end
  return client
end

--- Why a buffer cannot have a server; nil if it can.
---@param buf integer
---@return string?
local function obstacle(buf)
  if vim.bo[buf].buftype ~= '' then
    return ('this is a %s buffer; go to the file that fails'):format(vim.bo[buf].buftype)
  elseif vim.api.nvim_buf_get_name(buf) == '' then
    return 'this buffer has no file name; save it first'
  end
  local config = vim.lsp.config.pollard
  local command = config and config.cmd
  if type(command) == 'table' and vim.fn.executable(command[1]) == 0 then
    local advice = "install it, or set cmd with vim.lsp.config('pollard', { cmd = ... })"
    return ('the program %s is not found; %s'):format(command[1], advice)
  end
end

---@param buf integer
---@param call fun(client: vim.lsp.Client)
local function start(buf, call)
  local autocmd, given_up
  autocmd = vim.api.nvim_create_autocmd('LspAttach', {
    buffer = buf,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'pollard' then
        return
      end
      given_up:close()
      vim.schedule(function() -- Neovim has not quite attached it yet
        M.with_client(buf, call)
      end)
      return true
    end,
  })
  given_up = vim.defer_fn(function()
    vim.api.nvim_del_autocmd(autocmd)
    notify.error('the server has not started; :checkhealth pollard tells more')
  end, PATIENCE_MS)
  vim.lsp.enable('pollard') -- also attaches buffers without a file type, if it was enabled before
end

--- Calls `call` with the client of a buffer, at once or when the server has started.
---@param buf integer
---@param call fun(client: vim.lsp.Client)
function M.with_client(buf, call)
  local client = M.client(buf)
  local problem = not client and obstacle(buf)
  if client then
    call(client)
  elseif problem then
    notify.error(problem)
  else
    start(buf, call)
  end
end

--- Calls `call` with the client of a buffer; without one, says so and starts none.
---@param buf integer
---@param call fun(client: vim.lsp.Client)
function M.with_running(buf, call)
  local client = M.client(buf)
  if client then
    call(client)
  else
    notify.error(obstacle(buf) or 'the server is not attached to this buffer')
  end
end

---@param client vim.lsp.Client
---@param command string
---@return boolean
function M.supports(client, command)
  local offered = (client.server_capabilities.executeCommandProvider or {}).commands or {}
  return vim.list_contains(offered, command)
end

--- Calls a command of the server; an error is shown, and `call` is not called then.
---@param client vim.lsp.Client
---@param buf integer
---@param command string
---@param arguments table its only argument, without `uri`, which is the buffer's
---@param call? fun(result: table)
function M.execute(client, buf, command, arguments, call)
  local argument = vim.tbl_extend('force', { uri = vim.uri_from_bufnr(buf) }, arguments)
  local params = { command = command, arguments = { argument } }
  client:request('workspace/executeCommand', params, function(err, result)
    if err then
      notify.error(err.message)
    elseif call then
      call(result)
    end
  end, buf)
end

--- What `pollard.oracles` returns for a buffer, or nil if it does not come in time.
---@param client vim.lsp.Client
---@param buf integer
---@param milliseconds integer
---@return table?
function M.oracles_now(client, buf, milliseconds)
  if not M.supports(client, 'pollard.oracles') then
    return
  end
  local argument = { uri = vim.uri_from_bufnr(buf) }
  local params = { command = 'pollard.oracles', arguments = { argument } }
  local answer = client:request_sync('workspace/executeCommand', params, milliseconds, buf)
  return answer and answer.result
end

return M
