---@brief Finds or starts the server of a buffer, and runs its commands.

local notify = require('pollard.notify')

local M = {}

local START_TIMEOUT_MS = 20000 -- starting Python takes seconds on a slow machine
local EDITING_COMMANDS = { 'pollard.reduce', 'pollard.reduceOther', 'pollard.restore' }

--- Returns the client of a buffer, nil if it has none.
---@param buf integer
---@return vim.lsp.Client?
function M.client(buf)
  local client = vim.lsp.get_clients({ bufnr = buf, name = 'pollard' })[1]
  if client then
    require('pollard.handlers').listen(client) -- the plugin may be loaded after the server
  end
  return client
end

--- Returns why a buffer cannot have a server, nil if it can.
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

--- Enables the server and calls `call` once it is attached to `buf`; after 20 s, shows an error.
---@param buf integer
---@param call fun(client: vim.lsp.Client)
local function start(buf, call)
  local autocmd, timeout
  autocmd = vim.api.nvim_create_autocmd('LspAttach', {
    buffer = buf,
    callback = function(event)
      local client = vim.lsp.get_client_by_id(event.data.client_id)
      if not client or client.name ~= 'pollard' then
        return
      end
      timeout:close()
      vim.schedule(function() -- Neovim calls autocommands before it has finished attaching
        M.with_client(buf, call)
      end)
      return true
    end,
  })
  timeout = vim.defer_fn(function()
    vim.api.nvim_del_autocmd(autocmd)
    notify.error('the server has not started; :checkhealth pollard tells more')
  end, START_TIMEOUT_MS)
  -- Needed even if it is enabled already: only this attaches buffers without a file type.
  vim.lsp.enable('pollard')
end

--- Calls `call` with the client of a buffer; starts the server first if necessary.
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

--- Calls `call` with the client of a buffer; shows an error if it has none.
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

--- Returns whether the server offers a command.
---@param client vim.lsp.Client
---@param command string
---@return boolean
function M.supports(client, command)
  local offered = (client.server_capabilities.executeCommandProvider or {}).commands or {}
  return vim.list_contains(offered, command)
end

--- Runs a command of the server and calls `call` with the result; shows an error if it fails.
---@param client vim.lsp.Client
---@param buf integer
---@param command string
---@param arguments table the command's only argument; `uri` defaults to that of the buffer
---@param call? fun(result: table)
function M.execute(client, buf, command, arguments, call)
  local edits = not arguments.uri and vim.list_contains(EDITING_COMMANDS, command)
  if edits and not vim.bo[buf].modifiable then
    notify.error('this buffer cannot be changed; :set modifiable allows that')
    return
  end
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

--- Calls `begin` with the oracle that the user chooses, or nil for the default one.
---@param known table the result of `pollard.oracles`
---@param begin fun(oracle?: string)
---@param what string what is reduced, for people
function M.choose_oracle(known, begin, what)
  local has_default = vim.iter(known.oracles):any(function(oracle)
    return oracle.isDefault
  end)
  if known.reason == 'none' then
    local advice = '%s has no oracle yet; :Pollard configure sets one up'
    notify.error(advice:format(what))
  elseif has_default or #known.oracles < 2 then
    begin()
  else
    vim.ui.select(known.oracles, {
      prompt = 'Reduce with which oracle?',
      kind = 'pollard',
      format_item = function(oracle)
        return oracle.name .. ': ' .. oracle.command
      end,
    }, function(oracle)
      if oracle then
        begin(oracle.name)
      end
    end)
  end
end

--- Waits for the result of `pollard.oracles`; returns nil if it does not come in time.
---@param client vim.lsp.Client
---@param buf integer
---@param timeout_ms integer
---@return table?
function M.wait_for_oracles(client, buf, timeout_ms)
  if not M.supports(client, 'pollard.oracles') then
    return
  end
  local argument = { uri = vim.uri_from_bufnr(buf) }
  local params = { command = 'pollard.oracles', arguments = { argument } }
  local answer = client:request_sync('workspace/executeCommand', params, timeout_ms, buf)
  return answer and answer.result
end

return M
