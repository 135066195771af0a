---@brief `:checkhealth pollard`

local health = vim.health

local M = {}

local TIMEOUT_MS = 10000

---@return string[]? command the server's command, if it is a list
local function server_command()
  local command = (vim.lsp.config.pollard or {}).cmd
  return type(command) == 'table' and command or nil
end

local function check_neovim()
  local version = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. version)
  else
    health.error('Neovim ' .. version .. ' is too old for this plugin', {
      'Use Neovim 0.11 or newer.',
      'The server itself works with older ones: see :help pollard-old.',
    })
  end
end

---@param program string
local function check_version(program)
  local ok, job = pcall(vim.system, { program, '--version' }, { text = true })
  local done = ok and job:wait(TIMEOUT_MS)
  if done and done.code == 0 then
    health.ok(('%s: %s'):format(vim.fn.exepath(program), vim.trim(done.stdout)))
  else
    health.error(program .. ' does not run', { 'Try it in a shell: ' .. program .. ' --version' })
  end
end

local function check_program()
  local command = server_command()
  if not command then
    health.info('The server is started by a function of your configuration.')
  elseif vim.fn.executable(command[1]) == 0 then
    health.error('The program ' .. command[1] .. ' is not found', {
      'Install Pollard so that it is on PATH,',
      "or name it: vim.lsp.config('pollard', { cmd = { '/path/to/pollard', 'serve' } })",
    })
  elseif vim.fs.basename(command[1]):find('^pollard') then
    check_version(command[1])
  else
    health.info('The server is started with: ' .. table.concat(command, ' '))
  end
end

local function check_enabled()
  if vim.lsp.is_enabled('pollard') then
    health.ok('Enabled: files get the server when they are opened')
  else
    health.warn('Not enabled, so there are no code actions until :Pollard is used', {
      "Put vim.lsp.enable('pollard') into your init.lua.",
    })
  end
end

---@param client vim.lsp.Client
local function check_client(client)
  local version = (client.server_info or {}).version or 'unknown'
  health.ok(('Server %s in %s'):format(version, client.root_dir or 'no project'))
  if require('pollard.handlers').is_listening(client) then
    health.ok('Progress is received: status lines and PollardProgress show it')
  else
    health.error('Progress is not received', {
      'Load plugin/pollard.lua before the server starts, or use :Pollard once.',
    })
  end
end

---@param known table the result of `pollard.oracles`
---@param name string
local function check_settings(known, name)
  if known.file then
    health.info(('%s: settings of %s'):format(name, vim.uri_to_fname(known.file)))
  end
  if known.reason == 'none' then
    health.warn(name .. ': no oracle is configured', { 'Use :Pollard configure there.' })
  elseif known.obstacle then
    health.error(('%s: %s'):format(name, known.obstacle))
  end
end

---@param oracle table
---@param name string
local function check_oracle(oracle, name)
  local line = ('%s: oracle %s%s: %s'):format(
    name,
    oracle.name,
    oracle.isDefault and ' (default)' or '',
    oracle.command
  )
  if oracle.obstacle then
    health.warn(line, { oracle.obstacle })
  else
    health.ok(line)
  end
end

---@param client vim.lsp.Client
---@param buf integer
local function check_buffer(client, buf)
  local name = vim.fn.fnamemodify(vim.api.nvim_buf_get_name(buf), ':~:.')
  local known = require('pollard.server').wait_for_oracles(client, buf, TIMEOUT_MS)
  if not known then
    health.warn(name .. ': the server did not list its oracles', { 'Update Pollard.' })
    return
  end
  check_settings(known, name)
  for _, oracle in ipairs(known.oracles) do
    check_oracle(oracle, name)
  end
end

local function check_clients()
  local clients = vim.lsp.get_clients({ name = 'pollard' })
  if #clients == 0 then
    health.info('No server is running now; open a file, then check again.')
  end
  for _, client in ipairs(clients) do
    check_client(client)
    for buf in vim.spairs(client.attached_buffers) do
      check_buffer(client, buf)
    end
  end
end

--- Reports on Neovim, the program, the running servers and their buffers.
function M.check()
  health.start('Pollard')
  check_neovim()
  if vim.fn.has('nvim-0.11') == 0 then
    return
  end
  check_program()
  check_enabled()
  health.start('Pollard: servers and buffers')
  check_clients()
end

return M
