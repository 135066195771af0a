---@brief Handles the server's messages; handlers that the user has set are still called.

local M = {}

--- The result of the last check of an oracle that nobody has fetched, by the check's id.
---@type table<string, table>
local checked = {}
--- Callbacks for checks that are still running, by id.
---@type table<string, fun(result: table)>
local waiting = {}
--- The ids of the clients with our handlers.
---@type table<integer, true>
local listening = {}

---@alias pollard.Default fun(): any calls the handler that Pollard's replaced

--- Returns whether a handler is Neovim's own.
---@param handler? function
---@return boolean
local function is_builtin(handler)
  local source = handler and debug.getinfo(handler, 'S').source or ''
  return source:find('vim/lsp/handlers.lua', 1, true) ~= nil
end

--- Wraps the client's own handler of a method, or else the global one, in `ours`.
---@param client vim.lsp.Client
---@param method string
---@param ours fun(params: table, default: pollard.Default, builtin: boolean): any
local function wrap(client, method, ours)
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
  require('pollard.folder').on_progress(progress)
  if progress.state ~= 'reducing' and progress.files == nil then -- undoing a restored text must not undo the reduction too
    require('pollard.undo').split(vim.uri_to_bufnr(progress.uri))
  end
  require('pollard.progress').on_progress(progress)
  require('pollard.others').announce(progress)
  require('pollard.companions').on_progress(progress)
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
  return require('pollard.undo').apply_joined(buf, default)
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

---@param params pollard.DiagnoseParams
local function on_diagnose(params)
  return require('pollard.diagnose').answer(params)
end

---@param params lsp.LogMessageParams
local function on_log(params, default)
  require('pollard.log').note(params.message)
  return default()
end

--- Replaces Neovim's own handler, which adds a line end to each message and so waits for Enter.
---@param params lsp.ShowMessageParams
local function on_message(params, default, builtin)
  require('pollard.log').note(params.message)
  if not builtin then
    return default()
  end
  require('pollard.notify').server_message(params)
end

---@param client vim.lsp.Client
local function forget_progress_on_detach(client)
  vim.api.nvim_create_autocmd('LspDetach', {
    group = vim.api.nvim_create_augroup('pollard.' .. client.id, {}),
    callback = function(event)
      if event.data.client_id == client.id then
        require('pollard.progress').forget(vim.uri_from_bufnr(event.buf))
      end
    end,
  })
end

--- Installs the handlers in a client, once.
---@param client vim.lsp.Client
function M.listen(client)
  if listening[client.id] then
    return
  end
  listening[client.id] = true
  wrap(client, 'pollard/progress', on_progress)
  wrap(client, 'pollard/checked', on_checked)
  wrap(client, 'workspace/applyEdit', on_edit)
  wrap(client, 'pollard/diagnose', on_diagnose)
  wrap(client, 'window/showMessageRequest', on_question)
  wrap(client, 'window/showMessage', on_message)
  wrap(client, 'window/logMessage', on_log)
  client.commands['pollard.reduce'] = require('pollard.chosen').reduce
  require('pollard.shown').tell(client)
  forget_progress_on_detach(client)
end

--- Returns whether a client has the handlers.
---@param client vim.lsp.Client
---@return boolean
function M.is_listening(client)
  return listening[client.id] == true
end

--- Calls `call` with the result of a check, at once if it has arrived already.
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
