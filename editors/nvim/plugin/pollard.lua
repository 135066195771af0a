-- Defines :Pollard and listens to the server when it attaches; the rest is loaded when it is used.

-- Older versions have no vim.lsp.config; :help pollard-old tells what works there.
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
  desc = 'Reduce the file or the lines given, or see to a reduction',
  complete = function(...)
    return require('pollard.command').complete(...)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('pollard', {}),
  desc = 'Listen to what the Pollard server tells',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'pollard' then
      require('pollard.handlers').listen(client)
    end
  end,
})
