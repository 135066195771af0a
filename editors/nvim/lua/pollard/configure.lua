---@brief Sets up an oracle: asks for a command, tries it, asks what makes a run interesting.

local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

local CREATED, CHANGED = 1, 2 -- LSP's FileChangeType

--- Suggested commands by file type; {file} stands for the file.
local SUGGESTIONS = {
  c = 'gcc -c {file}',
  cpp = 'g++ -c {file}',
  go = 'go vet {file}',
  html = 'tidy {file}',
  java = 'javac {file}',
  javascript = 'node {file}',
  json = 'jq . {file}',
  lua = 'lua {file}',
  perl = 'perl {file}',
  php = 'php {file}',
  python = 'python3 {file}',
  ruby = 'ruby {file}',
  rust = 'rustc {file}',
  sh = 'bash {file}',
  typescript = 'tsc --noEmit {file}',
}

---@class pollard.Setup
---@field client vim.lsp.Client
---@field buf integer

---@param setup pollard.Setup
---@param name string the new oracle's name
local function offer_reduction(setup, name)
  vim.ui.select({ 'Reduce the file now', 'Not now' }, {
    prompt = ('The oracle %s is set up.'):format(name),
    kind = 'pollard',
  }, function(_, index)
    if index == 1 then
      server.execute(setup.client, setup.buf, 'pollard.reduce', { oracle = name })
    end
  end)
end

--- Writes the settings file; returns an error message if it cannot.
---@param uri string
---@param text string
---@return string?
local function write(uri, text)
  local path = vim.uri_to_fname(uri)
  local open = vim.fn.bufnr('^' .. vim.fn.escape(path, '[]*?{}\\.') .. '$')
  if open ~= -1 and vim.bo[open].modified then
    return ('save %s first, then configure again'):format(path)
  end
  local file, problem = io.open(path, 'wb')
  if not file then
    return problem
  end
  file:write(text)
  file:close()
  vim.cmd.checktime() -- reloads the file in buffers that show it
end

---@param setup pollard.Setup
---@param settings { name: string, uri: string, text: string, created: boolean }
local function save(setup, settings)
  local problem = write(settings.uri, settings.text)
  if problem then
    return notify.error(problem)
  end
  local change = { uri = settings.uri, type = settings.created and CREATED or CHANGED }
  setup.client:notify('workspace/didChangeWatchedFiles', { changes = { change } })
  offer_reduction(setup, settings.name)
end

---@param setup pollard.Setup
---@param definition table
local function add_oracle(setup, definition)
  local arguments = { definition = definition }
  server.execute(setup.client, setup.buf, 'pollard.configureOracle', arguments, function(settings)
    save(setup, settings)
  end)
end

---@param setup pollard.Setup
---@param definition table
---@param criteria { title: string, detail: string, definition: table }[]
local function choose_criterion(setup, definition, criteria)
  vim.ui.select(criteria, {
    prompt = 'What makes a run interesting?',
    kind = 'pollard',
    format_item = function(criterion)
      local detail = criterion.detail or ''
      return criterion.title .. (detail ~= '' and (' (%s)'):format(detail) or '')
    end,
  }, function(criterion)
    if criterion then
      add_oracle(setup, vim.tbl_extend('force', definition, criterion.definition))
    end
  end)
end

--- Runs the command once, and goes on with the criteria that the run suggests.
---@param setup pollard.Setup
---@param command string
local function try(setup, command)
  local definition = { command = command }
  local arguments = { definition = definition, checks = 1 }
  server.execute(setup.client, setup.buf, 'pollard.checkOracle', arguments, function(started)
    require('pollard.handlers').when_checked(started.id, function(result)
      local criteria = result.criteria or {}
      if #criteria == 0 then
        return notify.error(result.description)
      end
      require('pollard.quiet').when_quiet(function()
        choose_criterion(setup, definition, criteria)
      end)
    end)
  end)
end

--- Asks for a command, runs it with the user's consent, asks for a criterion, writes the settings.
---@param buf integer
function M.configure(buf)
  server.with_client(buf, function(client)
    if not server.supports(client, 'pollard.configureOracle') then
      return notify.error('this server is too old to configure an oracle; update it')
    end
    vim.ui.input({
      prompt = 'Command that shows the failure, with {file} for the file: ',
      default = SUGGESTIONS[vim.bo[buf].filetype] or ' {file}',
      completion = 'shellcmd',
    }, function(command)
      if command and vim.trim(command) ~= '' then
        try({ client = client, buf = buf }, vim.trim(command))
      end
    end)
  end)
end

return M
