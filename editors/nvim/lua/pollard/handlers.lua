---@brief Listens to the server, without taking anything from handlers that are there already.

local M = {}

--- What came of checks of an oracle, by their id, until somebody asks.
---@type table<string, table>
local checked = {}
---@type table<string, fun(result: table)>
local waiting = {}
---@type table<integer, true>
local listening = {}

---@alias pollard.Default fun(): any what would have happened without Pollard

--- Whether a handler is the one that Neovim brings along.
---@param handler? function
---@return boolean
local function is_builtin(handler)
  local source = handler and debug.getinfo(handler, 'S').source or ''
  return source:find('vim/lsp/handlers.lua', 1, true) ~= nil
end

--- Puts `ours` before the handler of the client's configuration, or else the global one.
---@param client vim.lsp.Client
---@param method string
---@param ours fun(params: table, default: pollard.Default, builtin: boolean): any
local function chain(client, method, ours)
  local configured = client.handlers[method]
  client.handlers[method] = function(err, params, ctx)
    local theirs = configured or vim.lsp.handlers[method]
    local default = function()
      return theirs and theirs(err, params, ctx)
    end
    return ours(params, default, is_builtin(theirs))
  end
end

---@param progress pollard.Progress
local function on_progress(progress, default)
  if progress.state ~= 'reducing' then -- a restored text is to be undone alone, for example
    require('pollard.undo').split(vim.uri_to_bufnr(progress.uri))
  end
  require('pollard.progress').on_progress(progress)
  return default()
end

local function on_checked(result, default)
  local call = waiting[result.id]
  waiting[result.id] = nil
  if call then
    call(result)
  else
    checked = { [result.id] = result }
  end
  return default()
end

---@param params lsp.ApplyWorkspaceEditParams
local function on_edit(params, default)
  local change = (params.edit.documentChanges or {})[1]
  if not change then
    return default()
  end
  local buf = vim.uri_to_bufnr(change.textDocument.uri)
  return require('pollard.undo').joined(buf, default)
end

---@param params lsp.ShowMessageRequestParams
local function on_question(params, default)
  require('pollard.log').note(params.message)
  local asking = coroutine.running()
  local quiet = require('pollard.quiet')
  if not quiet.is_calm() then
    require('pollard.notify').warn('there is a question; it comes up in Normal mode')
  end
  quiet.when_quiet(function()
    local ok, problem = coroutine.resume(asking)
    if not ok then
      require('pollard.notify').error(problem)
    end
  end)
  coroutine.yield()
  return default()
end

---@param params lsp.LogMessageParams
local function on_log(params, default)
  require('pollard.log').note(params.message)
  return default()
end

--- Neovim's own handler ends each message with a line end, so that it waits for Enter after it.
---@param params lsp.ShowMessageParams
local function on_message(params, default, builtin)
  require('pollard.log').note(params.message)
  if not builtin then
    return default()
  end
  require('pollard.notify').of_server(params)
end

---@param client vim.lsp.Client
local function forget_when_it_leaves(client)
  vim.api.nvim_create_autocmd('LspDetach', {
    group = vim.api.nvim_create_augroup('pollard.' .. client.id, {}),
    callback = function(event)
      if event.data.client_id == client.id then
        require('pollard.progress').forget(vim.uri_from_bufnr(event.buf))
      end
    end,
  })
end

--- Listens to a client; once is enough.
---@param client vim.lsp.Client
function M.listen(client)
  if listening[client.id] then
    return
  end
  listening[client.id] = true
  chain(client, 'pollard/progress', on_progress)
  chain(client, 'pollard/checked', on_checked)
  chain(client, 'workspace/applyEdit', on_edit)
  chain(client, 'window/showMessageRequest', on_question)
  chain(client, 'window/showMessage', on_message)
  chain(client, 'window/logMessage', on_log)
  forget_when_it_leaves(client)
end

--- Whether what the client's server tells is listened to.
---@param client vim.lsp.Client
---@return boolean
function M.listens(client)
  return listening[client.id] == true
end

--- Calls `call` with what came of a check, which may have come already.
---@param id string
---@param call fun(result: table)
function M.when_checked(id, call)
  if checked[id] then
    call(checked[id])
    checked = {}
  else
    waiting[id] = call
  end
end

return M
