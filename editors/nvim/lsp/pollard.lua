---@brief
--- Pollard's language server: reduces a file that makes a program fail while you watch.
---
--- `filetypes` is left out on purpose: any file can be reduced, with or without a grammar. Outside
--- a project, the file's own folder is the workspace.

---@type vim.lsp.Config
return {
  cmd = { 'pollard', 'serve' },
  root_markers = { 'pollard.toml', 'pyproject.toml', '.git' },
  -- The plugin answers when the server asks what other servers report about a candidate.
  capabilities = { experimental = { pollardDiagnose = true } },
}
