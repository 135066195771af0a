---@brief Tells the server which diagnostics the buffer shows, also those of others.
---
--- Neovim sends to each server only the diagnostics that this server has published itself. Pollard
--- reduces to those of linters and compilers, so it needs all of them.

local M = {}

--- Returns a diagnostic as the protocol has it; those that no server has published are converted.
---@param diagnostic vim.Diagnostic
---@return lsp.Diagnostic
function M.of_protocol(diagnostic)
  local published = vim.tbl_get(diagnostic, 'user_data', 'lsp')
  return published
    or {
      range = {
        start = { line = diagnostic.lnum, character = diagnostic.col },
        ['end'] = {
          line = diagnostic.end_lnum or diagnostic.lnum,
          character = diagnostic.end_col or diagnostic.col,
        },
      },
      message = diagnostic.message,
      severity = diagnostic.severity,
      source = diagnostic.source,
      code = diagnostic.code,
    }
end

--- Sets the diagnostics of a request for code actions to all that its lines show.
---@param params lsp.CodeActionParams
local function complete(params)
  local buf = vim.uri_to_bufnr(params.textDocument.uri)
  local first, last = params.range.start.line, params.range['end'].line
  local there = vim.tbl_filter(function(diagnostic)
    return diagnostic.lnum <= last and (diagnostic.end_lnum or diagnostic.lnum) >= first
  end, vim.diagnostic.get(buf))
  params.context.diagnostics = vim.tbl_map(M.of_protocol, there)
end

--- Completes the requests for code actions that are sent to a client.
---@param client vim.lsp.Client
function M.tell(client)
  local request = client.request
  client.request = function(...)
    local arguments = { ... }
    local first = arguments[1] == client and 2 or 1 -- client:request(...) or client.request(...)
    if arguments[first] == 'textDocument/codeAction' then
      complete(arguments[first + 1])
    end
    return request(...)
  end
end

return M
