---@brief Buffers that show something and belong to no file.

local M = {}

--- Makes one, which is wiped out when it is no longer seen; `q` closes its window.
---@param name string what follows `pollard://`
---@param lines string[]
---@return integer buf
function M.create(name, lines)
  local full = 'pollard://' .. name
  local former = vim.fn.bufnr('^' .. vim.fn.escape(full, '[]*?{}\\.') .. '$')
  if former ~= -1 then
    vim.api.nvim_buf_delete(former, { force = true })
  end
  local buf = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_name(buf, full)
  vim.api.nvim_buf_set_lines(buf, 0, -1, false, lines)
  vim.bo[buf].bufhidden = 'wipe'
  vim.bo[buf].modifiable = false
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = buf, nowait = true, desc = 'Close' })
  return buf
end

return M
