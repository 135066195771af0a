-- Defines :Pollard and hooks into the server when it attaches; the rest is loaded on first use.

-- Older versions have no vim.lsp.config; :help pollard-old describes what works there.
if vim.g.loaded_pollard or vim.fn.has('nvim-0.11') == 0 then
  return
end
vim.g.loaded_pollard = true

vim.api.nvim_create_user_command('Pollard', function(args)
  require('pollard.command').run(args)
end, {
  nargs = '*',
  range = true,
  bar = true,
  desc = 'Reduce the file or the given lines, or control a reduction',
  complete = function(...)
    return require('pollard.command').complete(...)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('pollard', {}),
  desc = 'Handle messages of the Pollard server',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'pollard' then
      require('pollard.handlers').listen(client)
    end
  end,
})
