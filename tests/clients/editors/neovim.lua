-- Neovim's own client: from no diagnostic to a race, its hover, its witness, and back to none. Run by ./run.
local patience = 60000 -- milliseconds, for what takes a few on an idle machine
local racing_line = 18 -- of pay_bonus in bank.cpp, from zero

local function expect(condition, what)
    if not condition then error('expected ' .. what, 2) end
end

local function wait_for(what, condition)
    expect(vim.wait(patience, condition, 5), what)
end

local function record()
    local output = vim.fn.system({ './record' })
    expect(vim.v.shell_error == 0, './record to end well, not: ' .. output)
end

local function ask(buffer, client, method, params)
    local answer = client.request_sync(method, params, patience, buffer)
    expect(answer and not answer.err, method .. ' to be answered, not: ' .. vim.inspect(answer))
    return answer.result
end

local function check_diagnostic(diagnostic)
    expect(diagnostic.severity == vim.diagnostic.severity.ERROR, 'an error')
    expect(diagnostic.source == 'heddle', 'the source to be named')
    expect(diagnostic.code == 'race', 'a code')
    expect(diagnostic.message:find("^Data race on 'account.balance': this "), 'a sentence, not: ' .. diagnostic.message)
    local line = vim.api.nvim_buf_get_lines(0, racing_line, racing_line + 1, true)[1]
    local marked = line:sub(diagnostic.col + 1, diagnostic.end_col)
    expect(diagnostic.end_lnum == racing_line, 'a range within the line')
    expect(marked == 'to.balance', 'the access to be marked, not: ' .. marked)
end

local function find_fix(actions)
    for _, action in ipairs(actions) do
        if action.title:find('^Hold') then return action end
    end
end

-- The fix that is offered is the one a person would write.
local function apply_fix(buffer, client, actions)
    local fix = find_fix(actions)
    expect(fix, 'a fix, not only: ' .. vim.inspect(actions))
    expect(fix.title == "Hold 'to.mu' here: removes this race; no new deadlock", 'its effect, not: ' .. fix.title)
    if not fix.edit then fix = ask(buffer, client, 'codeAction/resolve', fix) end
    vim.lsp.util.apply_workspace_edit(fix.edit, client.offset_encoding)
    local line = vim.api.nvim_buf_get_lines(buffer, racing_line, racing_line + 1, true)[1]
    expect(line:find('^    .*lock_guard.*%(to%.mu%);$'), 'the lock to be held, not: ' .. line)
end

local function story()
    vim.cmd('edit bank.cpp')
    local buffer = vim.api.nvim_get_current_buf()
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
    local client = vim.lsp.get_client_by_id(id)
    vim.lsp.buf_attach_client(buffer, id)
    local function here() return vim.diagnostic.get(buffer, { lnum = racing_line }) end
    expect(#vim.diagnostic.get(buffer) == 0, 'nothing to be shown before the first run')

    record()
    -- A warning, as long as the schedule is being looked for.
    wait_for('an error', function()
        return #here() > 0 and here()[1].severity == vim.diagnostic.severity.ERROR
    end)
    check_diagnostic(here()[1])
    wait_for('the other end of the race', function() return #vim.diagnostic.get(buffer) > #here() end)

    local start = { line = racing_line, character = here()[1].col }
    local document = vim.lsp.util.make_text_document_params(buffer)
    local hover = ask(buffer, client, 'textDocument/hover', { textDocument = document, position = start })
    expect(hover.contents.kind == 'markdown', 'Markdown')
    expect(hover.contents.value:find('|%s*%-%-'), 'the table of the schedule, not: ' .. hover.contents.value)

    local lit = ask(buffer, client, 'textDocument/documentHighlight', { textDocument = document, position = start })
    expect(#lit > 1, 'the other end of the race to be highlighted')
    local lenses = ask(buffer, client, 'textDocument/codeLens', { textDocument = document })
    expect(#lenses > 1 and lenses[1].command.title:find('1 race'), 'a lens over each function')
    if vim.fn.has('nvim-0.8') == 0 then -- shows them though it does not say so when it starts
        vim.lsp.codelens.refresh()
        wait_for('Neovim to show the lenses', function() return #vim.lsp.codelens.get(buffer) == #lenses end)
    end

    local at = {
        textDocument = document,
        range = { start = start, ['end'] = start },
        context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer, racing_line) },
    }
    local actions = ask(buffer, client, 'textDocument/codeAction', at)
    expect(#actions > 0 and actions[1].command.command == 'heddle.showWitness', 'the action that shows the witness')
    local shown = ask(buffer, client, 'workspace/executeCommand', {
        command = actions[1].command.command,
        arguments = actions[1].command.arguments,
    })
    expect(#shown.witness.steps > 0, 'the steps of the witness')

    -- On a busy machine a fix takes longer to try than a menu waits: then it is there the next time.
    for _ = 1, 40 do
        if find_fix(actions) then break end
        actions = ask(buffer, client, 'textDocument/codeAction', at)
    end
    apply_fix(buffer, client, actions)
    vim.cmd('write')
    expect(#vim.diagnostic.get(buffer) > 0, 'the diagnostics to stay until the corrected program ran')
    record()
    wait_for('the diagnostics to go', function() return #vim.diagnostic.get(buffer) == 0 end)

    client.stop()
    wait_for('the daemon to end', function() return client.is_stopped() end)
end

local ok, problem = xpcall(story, debug.traceback)
if not ok then
    io.stderr:write(problem .. '\n')
    vim.cmd('cquit 1')
end
vim.cmd('quitall!')
