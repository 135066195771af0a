-- Run `luacheck .` in this folder, or name this file with --config.
std = 'luajit'
read_globals = { 'vim' }
globals = { 'vim.g', 'vim.bo', 'vim.wo' }
max_line_length = 100
