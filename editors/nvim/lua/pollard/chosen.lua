---@brief Starts the reduction of a code action.

local M = {}

local PROMPT = 'Must still be reported (… is any name or number): '

--- Carries out `pollard.reduce`. A diagnostic is shown first, and the user may edit it.
---@param command lsp.Command
---@param ctx { bufnr: integer, client_id: integer }
function M.reduce(command, ctx)
  local client = vim.lsp.get_client_by_id(ctx.client_id)
  local arguments = command.arguments[1]
  local function start(diagnostic)
    if client and diagnostic ~= '' then
      local chosen = vim.tbl_extend('force', arguments, { diagnostic = diagnostic })
      require('pollard.server').execute(client, ctx.bufnr, 'pollard.reduce', chosen)
    end
  end
  if not arguments.diagnostic then
    return start()
  end
  vim.ui.input({ prompt = PROMPT, default = arguments.diagnostic }, function(diagnostic)
    if diagnostic then
      start(vim.trim(diagnostic))
    end
  end)
end

return M
