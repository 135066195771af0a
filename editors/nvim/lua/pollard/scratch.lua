---@brief Read-only buffers without a file.

local M = {}

--- Creates a buffer with `lines`. Neovim deletes it when it is hidden; `q` closes its window.
---@param name string the part after `pollard://`
---@param lines string[]
---@return integer buf
function M.create(name, lines)
  local full = 'pollard://' .. name
  local old = vim.fn.bufnr('^' .. vim.fn.escape(full, '[]*?{}\\.') .. '$')
  if old ~= -1 then
    vim.api.nvim_buf_delete(old, { force = true })
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
