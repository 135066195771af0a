---@brief
--- Pollard's language server: reduces a file that makes a program fail while you watch.
---
--- `filetypes` is left out on purpose: any file can be reduced, with or without a grammar. A file
--- outside every project is served too, with its own folder as the workspace.

---@type vim.lsp.Config
return {
  cmd = { 'pollard', 'serve' },
  root_markers = { 'pollard.toml', 'pyproject.toml', '.git' },
}
