-- Fixes in Neovim: a variable that becomes atomic, and two critical sections that become one. Each is applied, the
-- program built and recorded again, and its finding is gone. Run by ./run.
local patience = 60000 -- milliseconds, for what takes a few on an idle machine

local function expect(condition, what)
    if not condition then error('expected ' .. what, 2) end
end

local function wait_for(what, condition)
    expect(vim.wait(patience, condition, 5), what)
end

local function record(name)
    local output = vim.fn.system({ './record', name })
    expect(vim.v.shell_error == 0, './record to end well, not: ' .. output)
end

local function ask(buffer, client, method, params)
    local answer = client.request_sync(method, params, patience, buffer)
    expect(answer and not answer.err, method .. ' to be answered, not: ' .. vim.inspect(answer))
    return answer.result
end

local function start()
    local ready, ended = false, false
    local id = vim.lsp.start_client({
        cmd = { vim.env.HEDDLE, 'lsp' },
        name = 'heddle',
        root_dir = vim.fn.getcwd(),
        on_init = function() ready = true end,
        on_exit = function() ended = true end,
    })
    wait_for('the daemon to start', function() return ready or ended end)
    expect(not ended, 'the daemon to stay')
    return vim.lsp.get_client_by_id(id)
end

-- The action of that title at any of the diagnostics; nil, and all titles, when there is none.
local function find_action(buffer, client, title)
    local titles = {}
    for _, diagnostic in ipairs(vim.diagnostic.get(buffer)) do
        local at = { line = diagnostic.lnum, character = diagnostic.col }
        local actions = ask(buffer, client, 'textDocument/codeAction', {
            textDocument = vim.lsp.util.make_text_document_params(buffer),
            range = { start = at, ['end'] = at },
            context = { diagnostics = {} },
        })
        for _, action in ipairs(actions) do
            if action.title == title then return action end
            table.insert(titles, action.title)
        end
    end
    return nil, titles
end

local function fix(client, name, title, lines)
    vim.cmd('edit ' .. name .. '.cpp')
    local buffer = vim.api.nvim_get_current_buf()
    vim.lsp.buf_attach_client(buffer, client.id)
    record(name)
    -- Warnings, as long as the schedule is being looked for.
    wait_for('an error in ' .. name, function()
        local shown = vim.diagnostic.get(buffer)
        return #shown > 0 and shown[1].severity == vim.diagnostic.severity.ERROR
    end)
    -- On a busy machine a fix takes longer to try than a menu waits: then it is there the next time.
    local action, titles
    for _ = 1, 40 do
        action, titles = find_action(buffer, client, title)
        if action then break end
    end
    expect(action, title .. ', not only:\n' .. table.concat(titles or {}, '\n'))
    if not action.edit then action = ask(buffer, client, 'codeAction/resolve', action) end
    vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
    local text = table.concat(vim.api.nvim_buf_get_lines(buffer, 0, -1, true), '\n')
    for _, line in ipairs(lines) do
        expect(text:find('\n' .. line .. '\n', 1, true), line .. ' to be a line of\n' .. text)
    end
    vim.cmd('write')
    record(name)
    wait_for('the diagnostics of ' .. name .. ' to go', function() return #vim.diagnostic.get(buffer) == 0 end)
end

local function story()
    local client = start()
    fix(client, 'bank', "Make 'balance' atomic: removes this race; no new deadlock", {
        '#include <atomic>',
        '    std::atomic<long> balance{100};',
    })
    fix(client, 'stock_count', "Hold 'shelf' over both accesses: removes this atomicity violation; no new deadlock", {
        '    int left = 0;\n    const std::lock_guard<std::mutex> lock(shelf);\n    {\n        left = stock; // [look]',
    })
    client.stop()
    wait_for('the daemon to end', function() return client.is_stopped() end)
end

local ok, problem = xpcall(story, debug.traceback)
if not ok then
    io.stderr:write(problem .. '\n')
    vim.cmd('cquit 1')
end
vim.cmd('quitall!')
