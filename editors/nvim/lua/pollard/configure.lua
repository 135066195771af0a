---@brief Sets up an oracle: asks what is wrong, has the server try it, and writes the settings.

local notify = require('pollard.notify')
local server = require('pollard.server')

local M = {}

local CREATED, CHANGED = 1, 2 -- LSP's FileChangeType

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

---@class pollard.Criterion
---@field title string
---@field detail string
---@field failure string
---@field definition table

---@param criterion pollard.Criterion
local function label(criterion)
  local title, failure = criterion.title, criterion.failure or ''
  local told = failure == '' or title:find(failure, 1, true) or failure:find(title, 1, true)
  local detail = told and criterion.detail or ('keeps %s; %s'):format(failure, criterion.detail)
  return title .. (detail ~= '' and (' (%s)'):format(detail) or '')
end

---@param setup pollard.Setup
---@param criteria pollard.Criterion[]
local function choose_criterion(setup, criteria)
  vim.ui.select(criteria, {
    prompt = 'What makes a run interesting?',
    kind = 'pollard',
    format_item = label,
  }, function(criterion)
    if criterion then
      add_oracle(setup, criterion.definition)
    end
  end)
end

--- Has the server try a preset's oracle, and goes on with the criteria that hold.
---@param setup pollard.Setup
---@param preset pollard.Preset
---@param answers table<string, string>
local function try(setup, preset, answers)
  local arguments = { preset = preset.name, answers = answers }
  server.execute(setup.client, setup.buf, 'pollard.checkOracle', arguments, function(started)
    require('pollard.handlers').when_checked(started.id, function(result)
      local criteria = result.criteria or {}
      if #criteria == 0 then
        -- The server has told what the runs showed instead.
        return #result.runs == 0 and notify.error(result.description)
      end
      require('pollard.quiet').when_quiet(function()
        choose_criterion(setup, criteria)
      end)
    end)
  end)
end

---@class pollard.Preset
---@field name string
---@field title string
---@field detail string
---@field questions { name: string, prompt: string, default: string, optional: boolean }[]

--- Asks a preset's questions, one after the other, then tries what was answered.
---@param setup pollard.Setup
---@param preset pollard.Preset
---@param answers table<string, string> those given so far
local function ask(setup, preset, answers)
  local question = preset.questions[vim.tbl_count(answers) + 1]
  if not question then
    return try(setup, preset, answers)
  end
  vim.ui.input({
    prompt = question.prompt .. ': ',
    default = question.default,
    completion = 'shellcmd',
  }, function(answer)
    if answer and (question.optional or vim.trim(answer) ~= '') then
      ask(setup, preset, vim.tbl_extend('force', answers, { [question.name] = vim.trim(answer) }))
    end
  end)
end

--- Lets the user choose what is wrong.
---@param setup pollard.Setup
---@param presets pollard.Preset[]
local function choose_preset(setup, presets)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(setup.buf), ':t')
  vim.ui.select(presets, {
    prompt = ('What is wrong with %s?'):format(name),
    kind = 'pollard',
    format_item = function(preset)
      return ('%s: %s'):format(preset.title, preset.detail)
    end,
  }, function(preset)
    if preset then
      vim.schedule(function()
        vim.cmd('redraw!') -- the list of presets would stay above the questions
        ask(setup, preset, {})
      end)
    end
  end)
end

--- Asks what is wrong, tries it with the user's consent, and writes the settings.
---@param buf integer
function M.configure(buf)
  server.with_client(buf, function(client)
    if not server.supports(client, 'pollard.presets') then
      return notify.error('this server is too old to configure an oracle; update it')
    end
    server.execute(client, buf, 'pollard.presets', {}, function(found)
      choose_preset({ client = client, buf = buf }, found.presets)
    end)
  end)
end

return M
