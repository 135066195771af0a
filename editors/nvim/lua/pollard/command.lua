---@brief `:Pollard` and its subcommands.

local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

local COMPLETION_TIMEOUT_MS = 1000

---@class pollard.Call a call of `:Pollard`, made in `buf`
---@field buf integer
---@field rest string[] the words after the subcommand
---@field range? lsp.Range

---@class pollard.Subcommand
---@field run fun(call: pollard.Call)
---@field takes_range? boolean
---@field takes_oracle? boolean
---@field takes_folder? boolean

--- Returns the lines of the command's range, including the last line end.
---@param args vim.api.keyset.create_user_command.command_args
---@return lsp.Range?
local function lsp_range(args)
  if args.range > 0 then
    return {
      start = { line = args.line1 - 1, character = 0 },
      ['end'] = { line = args.line2, character = 0 },
    }
  end
end

---@param buf integer
---@return string
local function file_name(buf)
  return vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':t')
end

---@param call pollard.Call
---@param client vim.lsp.Client
---@param oracle? string
local function start_reduction(call, client, oracle)
  local arguments = { oracle = oracle, range = call.range }
  server.execute(client, call.buf, 'pollard.reduce', arguments)
end

---@param call pollard.Call
local function reduce(call)
  server.with_client(call.buf, function(client)
    if call.rest[1] or not server.supports(client, 'pollard.oracles') then
      return start_reduction(call, client, call.rest[1])
    end
    server.execute(client, call.buf, 'pollard.oracles', {}, function(known)
      server.choose_oracle(known, function(oracle)
        start_reduction(call, client, oracle)
      end, file_name(call.buf))
    end)
  end)
end

---@param call pollard.Call
local function check(call)
  server.with_client(call.buf, function(client)
    server.execute(client, call.buf, 'pollard.checkOracle', { oracle = call.rest[1] })
  end)
end

--- Makes a subcommand that sends `command` to the reduction of the buffer, else to those of folders.
---@param command string
---@return fun(call: pollard.Call)
local function control(command)
  return function(call)
    server.with_running(call.buf, function(client)
      server.execute(client, call.buf, command, {}, function(result)
        local folders = require('pollard.folder').running()
        if not vim.tbl_isempty(result.ids) then
          return
        elseif vim.tbl_isempty(folders) then
          notify.warn(('%s is not being reduced'):format(file_name(call.buf)))
        end
        for _, uri in ipairs(folders) do
          server.execute(client, call.buf, command, { uri = uri })
        end
      end)
    end)
  end
end

---@param call pollard.Call
local function restore(call)
  server.with_client(call.buf, function(client)
    server.execute(client, call.buf, 'pollard.restore', {})
  end)
end

--- Writes the report on the latest reduction; the server has Neovim open it in the browser.
---@param call pollard.Call
local function report(call)
  server.with_client(call.buf, function(client)
    server.execute(client, call.buf, 'pollard.report', {})
  end)
end

---@type table<string, pollard.Subcommand>
local subcommands = {
  reduce = { run = reduce, takes_range = true, takes_oracle = true },
  folder = {
    run = function(call)
      require('pollard.folder').reduce(call.buf, call.rest[1])
    end,
    takes_folder = true,
  },
  check = { run = check, takes_oracle = true },
  stop = { run = control('pollard.stop') },
  pause = { run = control('pollard.pause') },
  resume = { run = control('pollard.resume') },
  restore = { run = restore },
  report = { run = report },
  history = {
    run = function(call)
      local folder = call.rest[1]
      if folder then
        return require('pollard.folder').history(call.buf, folder)
      end
      require('pollard.history').choose(call.buf)
    end,
    takes_folder = true,
  },
  other = {
    run = function(call)
      local folder = call.rest[1]
      require('pollard.others').choose(call.buf, folder and require('pollard.folder').uri(folder))
    end,
    takes_folder = true,
  },
  configure = {
    run = function(call)
      require('pollard.configure').configure(call.buf)
    end,
  },
  log = {
    run = function()
      require('pollard.log').open()
    end,
  },
}

---@return string[]
local function subcommand_names()
  local names = vim.tbl_keys(subcommands)
  table.sort(names)
  return names
end

--- `:Pollard` alone: shows the progress of all reductions.
---@param buf integer
local function show_status(buf)
  server.with_running(buf, function(client)
    server.execute(client, buf, 'pollard.status', { uri = vim.NIL }, function(result)
      local lines = vim.tbl_map(function(progress)
        local name = vim.fs.basename(vim.uri_to_fname(progress.uri))
        return name .. ': ' .. require('pollard.progress').text(progress)
      end, result.reductions)
      notify.info(#lines > 0 and table.concat(lines, '; ') or 'nothing is being reduced')
    end)
  end)
end

--- Returns an error message if the arguments do not fit the subcommand, else nil.
---@param name string
---@param rest string[]
---@param has_range boolean
---@return string?
local function usage_error(name, rest, has_range)
  local known = subcommands[name]
  if not known then
    return ('there is no subcommand %s; see :help :Pollard'):format(name)
  elseif has_range and not known.takes_range then
    return ('%s takes no range'):format(name)
  elseif #rest > ((known.takes_oracle or known.takes_folder) and 1 or 0) then
    return ('too many words after %s'):format(name)
  end
end

--- Runs `:Pollard` with its arguments.
---@param args vim.api.keyset.create_user_command.command_args
function M.run(args)
  local buf = vim.api.nvim_get_current_buf()
  local name = args.fargs[1]
  if not name then
    return show_status(buf)
  end
  local rest = vim.list_slice(args.fargs, 2)
  local problem = usage_error(name, rest, args.range > 0)
  if problem then
    return notify.error(problem)
  end
  subcommands[name].run({ buf = buf, rest = rest, range = lsp_range(args) })
end

---@return string[]
local function oracle_names()
  local buf = vim.api.nvim_get_current_buf()
  local client = server.client(buf)
  local known = client and server.wait_for_oracles(client, buf, COMPLETION_TIMEOUT_MS)
  return vim.tbl_map(function(oracle)
    return oracle.name
  end, known and known.oracles or {})
end

--- Completes a subcommand, then the name of an oracle or a folder.
---@param lead string
---@param line string
---@param position integer
---@return string[]
function M.complete(lead, line, position)
  local words = vim.split(line:sub(1, position), '%s+')
  local candidates = {}
  if #words == 2 then -- the command itself and the word being typed
    candidates = subcommand_names()
  elseif #words == 3 and (subcommands[words[2]] or {}).takes_oracle then
    candidates = oracle_names()
  elseif #words == 3 and (subcommands[words[2]] or {}).takes_folder then
    candidates = vim.fn.getcompletion(lead, 'dir')
  end
  return vim.tbl_filter(function(candidate)
    return vim.startswith(candidate, lead)
  end, candidates)
end

return M
