---@brief Reductions of folders into new ones beside them; the result opens in a tab.

local choice = require('pollard.choice')
local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

--- The folders that are being reduced, by URI.
---@type table<string, true>
local running = {}

---@param client vim.lsp.Client
---@param buf integer
---@param uri string
---@param oracle? string
local function start(client, buf, uri, oracle)
  local arguments = { uri = uri, main = vim.uri_from_bufnr(buf), oracle = oracle }
  server.execute(client, buf, 'pollard.reduceFolder', arguments)
end

--- Returns the URI of a folder.
---@param place string
---@return string
function M.uri(place)
  return vim.uri_from_fname((vim.fn.fnamemodify(place, ':p'):gsub('(.)/$', '%1')))
end

--- Reduces a folder, by default that of the buffer's file; asks for the oracle if that is needed.
---@param buf integer
---@param folder? string
function M.reduce(buf, folder)
  local place = folder or vim.fs.dirname(vim.api.nvim_buf_get_name(buf))
  local uri = M.uri(place)
  server.with_client(buf, function(client)
    if not server.supports(client, 'pollard.reduceFolder') then
      return notify.error('this server cannot reduce folders; update it')
    end
    server.execute(client, buf, 'pollard.oracles', { uri = uri }, function(known)
      server.choose_oracle(known, function(oracle)
        start(client, buf, uri, oracle)
      end, ('the folder %s'):format(place))
    end)
  end)
end

--- Returns the URIs of the folders that are being reduced.
---@return string[]
function M.running()
  return vim.tbl_keys(running)
end

--- Opens the result in a tab once the user presses no key, so that no key meant for a buffer is lost.
---@param place string
local function open(place)
  require('pollard.quiet').when_quiet(function()
    vim.cmd.tabedit(vim.fn.fnameescape(place))
  end)
end

---@param client vim.lsp.Client
---@param buf integer
---@param uri string
---@param record table
local function choose_files(client, buf, uri, record)
  local texts = require('pollard.history').texts(record)
  choice.one(texts, 'Which files? They open in a tab.', function(text)
    return text.title
  end, function(text)
    local arguments = { uri = uri, number = text.number }
    server.execute(client, buf, 'pollard.history', arguments, function(result)
      open(vim.uri_to_fname(result.folder))
    end)
  end)
end

--- Lets the user choose a step of the latest reduction of a folder, and shows its files.
---@param buf integer
---@param place string
function M.history(buf, place)
  local uri = M.uri(place)
  server.with_client(buf, function(client)
    server.execute(client, buf, 'pollard.history', { uri = uri }, function(result)
      local record = result.records[1]
      if not record then
        return notify.warn('this folder has not been reduced yet')
      end
      choose_files(client, buf, uri, record)
    end)
  end)
end

--- Takes the server's report on a reduction; does nothing if that is of a buffer.
---@param progress pollard.Progress
function M.on_progress(progress)
  if progress.files == nil then
    return
  end
  local is_over = require('pollard.progress').is_over(progress)
  running[progress.uri] = not is_over or nil
  if is_over and progress.result then
    open(vim.uri_to_fname(progress.result))
  end
end

return M
