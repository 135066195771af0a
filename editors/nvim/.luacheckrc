-- luacheck editors/nvim, from the root of the repository or from here.
std = 'luajit'
read_globals = { 'vim' }
globals = { 'vim.g', 'vim.bo', 'vim.wo' }
max_line_length = 100
