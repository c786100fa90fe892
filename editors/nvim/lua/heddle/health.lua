-- :checkhealth heddle
local client = require('heddle.client')

local M = {}

local oldest = { 0, 1, 0 } -- the first that answers heddle.findings

-- The functions were renamed in 0.10, and were elsewhere before 0.8.
local health = vim.health or require('health')
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local warn = health.warn or health.report_warn
local failed = health.error or health.report_error

local function is_older(version)
    for i, part in ipairs(oldest) do
        local have = tonumber(version[i]) or 0
        if have ~= part then return have < part end
    end
    return false
end

function M.check()
    start('heddle')
    local program = client.command()[1]
    if vim.fn.executable(program) == 0 then
        return failed(program .. ' is not found', { 'install Heddle', "or name it: require('heddle').setup { cmd = { '/path/to/heddle', 'lsp', '--connect' } }" })
    end
    local said = vim.fn.system({ program, '--version' })
    local version = said:match('^heddle (%d[%d.]*)')
    if not version then return failed(program .. ' is not Heddle: it does not tell its version') end
    if is_older(vim.split(version, '.', { plain = true })) then
        return failed(('%s is Heddle %s; %s or later is needed'):format(program, version, table.concat(oldest, '.')))
    end
    ok(('%s is Heddle %s'):format(vim.fn.exepath(program), version))
    if not client.get() then
        local log = require('vim.lsp.log').get_filename()
        return warn('the daemon is not running', {
            "call require('heddle').setup {}",
            'open a C or C++ file',
            'if it ended, ' .. log .. ' has what it said last',
        })
    end
    ok('the daemon is running')
    if client.status and client.status.traces == 0 then
        warn('nothing is recorded', { 'build the tests with -fsanitize=thread -g', 'heddle record -- ./the_test, or :HeddleRecord' })
    elseif client.status then
        local runs = client.status.traces == 1 and 'run' or 'runs'
        ok(('%d recorded %s: %s'):format(client.status.traces, runs, client.status.text))
    end
end

return M
