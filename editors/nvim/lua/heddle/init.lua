-- Heddle in Neovim, 0.7 and later. The daemon knows everything; this starts it and shows what it says. :help heddle
local client = require('heddle.client')

local M = {}

local defaults = {
    cmd = { 'heddle', 'lsp', '--connect' },
    filetypes = { 'c', 'cpp' },
    settings = vim.empty_dict(), -- as in docs/configuration.md
    root_dir = nil, -- function(file): the folder of the workspace
    mappings = true, -- ]w and [w in C and C++
}

local function location(place)
    local start = place.range.start
    return vim.uri_to_fname(place.uri), start.line + 1, start.character + 1
end

--- Calls `act` with the finding at the cursor, the only one, or the one that the person picks.
local function with_finding(act)
    local buffer, line = vim.api.nvim_buf_get_name(0), vim.api.nvim_win_get_cursor(0)[1]
    client.execute('heddle.findings', nil, function(findings)
        local all, here = {}, {}
        for _, finding in ipairs(findings) do
            if finding.witness then
                table.insert(all, finding)
                for _, place in ipairs(finding.places) do
                    local file, at = location(place)
                    if file == buffer and at == line and here[#here] ~= finding then table.insert(here, finding) end
                end
            end
        end
        local offered = #here > 0 and here or all
        if #offered == 0 then return vim.notify('Heddle: there is no finding with a witness') end
        if #offered == 1 then return act(offered[1]) end
        vim.ui.select(offered, {
            prompt = 'Of which finding?',
            format_item = function(finding) return finding.message end,
        }, function(finding)
            if finding then act(finding) end
        end)
    end)
end

--- For a statusline: "Heddle: 2 races", or nothing where it does not run.
function M.statusline()
    return client.status and ('Heddle: ' .. client.status.text) or ''
end

function M.witness()
    with_finding(function(finding) require('heddle.witness').show(finding.bug) end)
end

function M.replay()
    if not client.offers('heddle.replay') then
        return vim.notify('Heddle: this heddle cannot replay', vim.log.levels.WARN)
    end
    -- The daemon asks before it runs anything, and tells how it went.
    with_finding(function(finding) client.execute('heddle.replay', { bug = finding.bug }, function() end) end)
end

function M.record()
    client.execute('heddle.recordTests', nil, function(answer)
        vim.notify(('Heddle: the tests ended with status %d'):format(answer.status))
    end)
end

--- All places of all findings, in the quickfix list.
function M.findings()
    client.execute('heddle.findings', nil, function(findings)
        local items = {}
        for _, finding in ipairs(findings) do
            for _, place in ipairs(finding.places) do
                local file, line, column = location(place)
                local text = ('%s [%s]: %s by %s'):format(finding.headline, finding.state, place.operation, place.thread)
                local type = finding.state == 'possible' and 'W' or 'E'
                table.insert(items, { filename = file, lnum = line, col = column, text = text, type = type })
            end
        end
        vim.fn.setqflist({}, ' ', { title = 'Heddle', items = items })
        if #items == 0 then return vim.notify('Heddle: no findings') end
        vim.cmd('copen')
    end)
end

function M.status()
    vim.notify(client.status and M.statusline() or 'Heddle is not running; see :checkhealth heddle')
end

local function add_commands()
    local commands = { Record = M.record, Witness = M.witness, Replay = M.replay, Findings = M.findings, Status = M.status }
    for name, act in pairs(commands) do
        vim.api.nvim_create_user_command('Heddle' .. name, function() act() end, {})
    end
    -- The code actions of the daemon are its commands; what has a window of its own goes there.
    vim.lsp.commands['heddle.showWitness'] = function(command)
        require('heddle.witness').show(command.arguments[1].bug)
    end
end

local function add_highlights()
    local links = {
        HeddleThread = 'Title',
        HeddleConflict = 'ErrorMsg',
        HeddleHeld = 'Type',
        HeddleStep = 'CursorLine',
        HeddleNote = 'Comment',
    }
    for name, target in pairs(links) do
        vim.api.nvim_set_hl(0, name, { link = target, default = true })
    end
end

local function attach(buffer, mappings)
    client.attach(buffer)
    if not mappings then return end
    for key, by in pairs({ [']w'] = 1, ['[w'] = -1 }) do
        vim.keymap.set('n', key, function() require('heddle.witness').step(by) end, { buffer = buffer, silent = true })
    end
end

function M.setup(wanted)
    local config = vim.tbl_deep_extend('force', defaults, wanted or {})
    client.configure(config)
    add_commands()
    add_highlights()
    vim.api.nvim_create_autocmd('FileType', {
        group = vim.api.nvim_create_augroup('Heddle', {}),
        pattern = config.filetypes,
        callback = function(event) attach(event.buf, config.mappings) end,
    })
    for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
        if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(config.filetypes, vim.bo[buffer].filetype) then
            attach(buffer, config.mappings)
        end
    end
end

return M
