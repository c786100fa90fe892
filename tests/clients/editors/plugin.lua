-- The plug-in for Neovim, without a screen: what it starts, shows and does. Run by ./run.
local patience = 60000 -- milliseconds, for what takes a few on an idle machine

local function expect(condition, what)
    if not condition then error('expected ' .. what, 2) end
end

local function wait_for(what, condition)
    expect(vim.wait(patience, condition, 5), what)
end

local told = {}
vim.notify = function(message) table.insert(told, message) end
local function was_told(pattern)
    for _, message in ipairs(told) do
        if message:find(pattern) then return true end
    end
    return false
end

local function buffer_text(buffer)
    return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, true), '\n')
end

local function source_line()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
        local name = vim.api.nvim_buf_get_name(vim.api.nvim_win_get_buf(window))
        if name:find('bank.cpp$') then return vim.api.nvim_win_get_cursor(window)[1] end
    end
end

local function press(keys)
    vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(keys, true, false, true), 'mtx', false)
end

local function check_missing_program(heddle)
    heddle.setup({ cmd = { '/nowhere/heddle', 'lsp' } })
    vim.cmd('edit bank.cpp')
    vim.bo.filetype = 'cpp'
    wait_for('to be told what is missing', function() return was_told('is not found: install Heddle') end)
    heddle.status()
    expect(was_told('is not running'), 'to be told that nothing runs')
    expect(heddle.statusline() == '', 'nothing in the statusline')
end

local function program_of(script)
    local program = vim.fn.getcwd() .. '/heddle'
    vim.fn.writefile({ '#!/bin/sh', script }, program)
    vim.fn.setfperm(program, 'rwxr-xr-x')
    return program
end

--- A program that ends at once, as one that crashes or is too old to know the protocol.
local function check_ended_program(heddle, script, words)
    heddle.setup({ cmd = { program_of(script), 'lsp' } })
    wait_for('to be told how the program ended', function() return was_told(words) end)
end

local function check_ended_daemon(heddle)
    vim.loop.kill(tonumber(vim.fn.readfile('daemon.pid')[1]), 'sigkill')
    wait_for('to be told of its end', function() return was_told('the daemon ended %(signal 9%); :edit starts it again') end)
    expect(heddle.statusline() == '', 'nothing in the statusline')
    vim.cmd('edit')
    vim.bo.filetype = 'cpp'
    wait_for('the race again', function() return heddle.statusline() == 'Heddle: 1 race' end)
end

local function check_statusline(heddle)
    wait_for('the status', function() return heddle.statusline() == 'Heddle: no traces' end)
    vim.fn.mkdir('.heddle/traces', 'p')
    vim.fn.writefile(vim.fn.readfile(vim.env.SAMPLES .. '/bank/run.std'), '.heddle/traces/bank.std')
    wait_for('the race in the statusline', function() return heddle.statusline() == 'Heddle: 1 race' end)
    wait_for('diagnostics of both sides', function() return #vim.diagnostic.get(0) == 2 end)
    for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
        local line = vim.api.nvim_buf_get_lines(0, diagnostic.lnum, diagnostic.lnum + 1, true)[1]
        local marked = line:sub(diagnostic.col + 1, diagnostic.end_col)
        expect(marked == 'to.balance', 'the expression to be marked, not: ' .. marked)
    end
end

local function check_findings()
    vim.cmd('HeddleFindings')
    wait_for('the quickfix list', function() return #vim.fn.getqflist() == 2 end)
    local first = vim.fn.getqflist()[1]
    expect(first.lnum == 15 and first.type == 'E', 'the place of the deposit, not ' .. vim.inspect(first))
    expect(first.text:find("data race on 'account.balance' %[witnessed%]: write by T2"), 'its words, not: ' .. first.text)
    vim.cmd('cclose')
end

local function check_witness()
    vim.api.nvim_win_set_cursor(0, { 19, 0 })
    vim.cmd('HeddleWitness')
    wait_for('the window', function() return vim.bo.filetype == 'heddle-witness' end)
    local text = buffer_text()
    expect(text:find('T0 +T1 first +T2 second +T3 bonus'), 'a lane a thread, not:\n' .. text)
    expect(text:find('┃ lock account.mu  :14'), 'the lock where it is taken, not:\n' .. text)
    expect(text:find('▶ read account.balance  :19 ◀'), 'the conflict, not:\n' .. text)
    expect(text:find('T2 second holds account.mu at the end'), 'who holds what, not:\n' .. text)
    expect(source_line() == 19, 'the source at the last step')
    press('[w')
    expect(source_line() == 15, 'the source to follow one step back')
    press('[w[w')
    expect(source_line() == 14, 'the source at the lock')
    press('o')
    expect(buffer_text():find('as the recorded run took them'), 'the recorded order')
    expect(source_line() == 14, 'the same step in the other order')
    press('o<CR>')
    expect(vim.api.nvim_buf_get_name(0):find('bank.cpp$'), 'to be in the source')
    press(']w')
    expect(source_line() == 15, 'to step from the source')
    local marks = vim.api.nvim_buf_get_extmarks(0, vim.api.nvim_get_namespaces().heddle_witness, 0, -1, { details = true })
    expect(marks[1][4].virt_lines[1][1][1]:find('7/9 T2 second: read account.balance'), 'the step over its line')
    vim.api.nvim_buf_set_lines(0, 0, 0, true, { '// one more line' })
    press(']w]w')
    expect(source_line() == 20, 'the step in the text that moved')
    vim.cmd('silent undo')
end

--- A word that is longer than the window leaves the other lanes their room.
local function check_lanes()
    local function step(number, thread, words)
        return { step = number, thread_id = thread, words = words, held_after = {}, line = 0 }
    end
    local function thread(id) return { thread_id = id, full_name = 'T' .. id, held_before = {}, held_at_end = {} } end
    local rows = { step(1, 0, 'write account.balance'), step(2, 1, 'read ' .. ('x'):rep(200)) }
    local lines = require('heddle.lanes').draw({ threads = { thread(0), thread(1) }, rows = rows }, 100)
    expect(lines[1]:find('T1') > 40, 'room for the first lane, not: ' .. lines[1])
end

local function check_record()
    vim.cmd('HeddleRecord')
    wait_for('to be told what recording needs', function() return was_told('no test command is set') end)
    vim.cmd('HeddleReplay')
    wait_for('an answer to a replay', function() return was_told('cannot replay') or was_told('[Rr]eplay') end)
end

local function check_health()
    vim.cmd('checkhealth heddle')
    local text = buffer_text()
    expect(text:find('is Heddle %d'), 'the version, not:\n' .. text)
    expect(text:find('1 recorded run: 1 race'), 'what is known, not:\n' .. text)
end

local function story()
    vim.opt.runtimepath:append(vim.env.PLUGIN)
    local heddle = require('heddle')
    check_missing_program(heddle)
    check_ended_program(heddle, 'kill -SEGV $$', 'ended while it was starting %(signal 11%); see :checkhealth heddle')
    check_ended_program(heddle, 'echo heddle 0.0.7', 'ended while it was starting %(status 0%); see :checkhealth heddle')
    heddle.setup({ cmd = { program_of('echo $$ >daemon.pid; exec "$HEDDLE" "$@"'), 'lsp' } })
    check_statusline(heddle)
    check_ended_daemon(heddle)
    check_findings()
    check_witness()
    check_lanes()
    check_record()
    check_health()
    vim.cmd('helptags ' .. vim.env.PLUGIN .. '/doc')
    vim.cmd('help heddle-witness')
end

local ok, problem = xpcall(story, debug.traceback)
if not ok then
    io.stderr:write(problem .. '\n' .. table.concat(told, '\n') .. '\n')
    vim.cmd('cquit 1')
end
vim.cmd('quitall!')
