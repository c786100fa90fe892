-- The window of a witness: its lanes, and the source beside them, which follows the step.
local client = require('heddle.client')
local lanes = require('heddle.lanes')

local M = {}

local namespace = vim.api.nvim_create_namespace('heddle_witness')
local anchors = vim.api.nvim_create_namespace('heddle_witness_anchors')
local shown -- { answer, buffer, source (a window), observed, steps, line, anchored (by event: buffer and id of an extmark) }

local function is_open()
    return shown ~= nil and vim.api.nvim_buf_is_valid(shown.buffer) and vim.fn.bufwinid(shown.buffer) ~= -1
end

local function story()
    local witness = shown.answer.witness
    return shown.observed and witness.observed or witness.story
end

local function source_window()
    if shown.source and vim.api.nvim_win_is_valid(shown.source) then return shown.source end
    for _, window in ipairs(vim.api.nvim_tabpage_list_wins(0)) do
        if vim.api.nvim_win_get_buf(window) ~= shown.buffer then
            shown.source = window
            return window
        end
    end
    vim.api.nvim_win_call(vim.fn.bufwinid(shown.buffer), function()
        vim.cmd('aboveleft split')
        shown.source = vim.api.nvim_get_current_win()
    end)
    return shown.source
end

--- The buffer of the step's file, and an extmark where the step is: it moves with the text.
local function anchor(step)
    if not step.file or step.file == '' or step.line == 0 then return end
    local known = shown.anchored[step.event]
    if known and vim.api.nvim_buf_is_loaded(known.buffer) then return known end
    local file = step.file:sub(1, 1) == '/' and step.file or (shown.answer.folder .. '/' .. step.file)
    if vim.fn.filereadable(file) == 0 then return end
    local buffer = vim.fn.bufadd(file)
    vim.fn.bufload(buffer)
    local line = math.min(step.line, vim.api.nvim_buf_line_count(buffer))
    local column = math.min(math.max(step.column - 1, 0), #vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1])
    shown.anchored[step.event] = { buffer = buffer, id = vim.api.nvim_buf_set_extmark(buffer, anchors, line - 1, column, {}) }
    return shown.anchored[step.event]
end

--- Shows the step's line in the source window, with the step beside it.
local function show_source(step)
    local at = anchor(step)
    if not at then return end
    local window, buffer = source_window(), at.buffer
    vim.bo[buffer].buflisted = true
    if vim.api.nvim_win_get_buf(window) ~= buffer then vim.api.nvim_win_set_buf(window, buffer) end
    local position = vim.api.nvim_buf_get_extmark_by_id(buffer, anchors, at.id, {})
    local line = position[1] + 1
    vim.api.nvim_win_set_cursor(window, { line, position[2] })
    M.clear_mark()
    shown.marked = buffer
    -- Over the line: beside it there are diagnostics already.
    local indent = vim.api.nvim_buf_get_lines(buffer, line - 1, line, true)[1]:match('^%s*')
    local note = ('%s▼ %d/%d %s: %s'):format(indent, step.step, story().shown, step.full_name, step.words)
    vim.api.nvim_buf_set_extmark(buffer, namespace, line - 1, 0, {
        line_hl_group = 'HeddleStep',
        virt_lines = { { { note, 'HeddleNote' } } },
        virt_lines_above = true,
    })
end

local function clear_anchors()
    for _, at in pairs(shown.anchored) do
        if vim.api.nvim_buf_is_valid(at.buffer) then vim.api.nvim_buf_del_extmark(at.buffer, anchors, at.id) end
    end
end

function M.clear_mark()
    if shown and shown.marked and vim.api.nvim_buf_is_valid(shown.marked) then
        vim.api.nvim_buf_clear_namespace(shown.marked, namespace, 0, -1)
    end
end

local function colour(group, line, from, to)
    vim.api.nvim_buf_set_extmark(shown.buffer, namespace, line - 1, from, { end_col = to, hl_group = group })
end

local function highlight(lines)
    vim.api.nvim_buf_clear_namespace(shown.buffer, namespace, 0, -1)
    colour('HeddleNote', 1, 0, #lines[1])
    colour('HeddleThread', 2, 0, #lines[2])
    for i, line in ipairs(lines) do
        local conflict = shown.steps[i] and shown.steps[i].marked and line:find('▶', 1, true)
        if conflict then colour('HeddleConflict', i, conflict - 1, select(2, line:find('◀', conflict, true))) end
        for from, to in line:gmatch('()┃()') do
            colour('HeddleHeld', i, from - 1, to - 1)
        end
    end
end

local hints = {
    story = 'The schedule that fails.  o: as recorded   <CR>: source   ]w [w: step   q: close',
    observed = 'The steps as the recorded run took them.  o: the schedule that fails',
}

local function draw()
    local window = vim.fn.bufwinid(shown.buffer)
    local lines, steps = lanes.draw(story(), vim.api.nvim_win_get_width(window) - 2)
    table.insert(lines, 1, shown.observed and hints.observed or hints.story)
    shown.steps = {}
    for line, step in pairs(steps) do
        shown.steps[line + 1] = step
    end
    vim.bo[shown.buffer].modifiable = true
    vim.api.nvim_buf_set_lines(shown.buffer, 0, -1, false, lines)
    vim.bo[shown.buffer].modifiable = false
    vim.api.nvim_win_set_height(window, math.min(#lines, math.floor(vim.o.lines * 0.6)))
    highlight(lines)
end

local function line_of(wanted)
    for line, step in pairs(shown.steps) do
        if wanted(step) then return line end
    end
end

local function go_to_line(line)
    vim.api.nvim_win_set_cursor(vim.fn.bufwinid(shown.buffer), { line, 0 })
    shown.line = line
    show_source(shown.steps[line])
end

--- To the step that is so many after the current one; the source follows.
function M.step(by)
    if not is_open() then return vim.notify('no witness is open: :HeddleWitness', vim.log.levels.WARN) end
    local current = shown.steps[shown.line].step
    local line = line_of(function(step) return step.step == current + by end)
    if line then go_to_line(line) end
end

function M.toggle_observed()
    local event = shown.steps[shown.line].event
    shown.observed = not shown.observed
    draw()
    go_to_line(line_of(function(step) return step.event == event end))
end

--- The cursor of the window was moved by hand.
local function follow()
    local line = vim.api.nvim_win_get_cursor(0)[1]
    if shown.steps[line] and line ~= shown.line then go_to_line(line) end
end

local function map(key, act)
    vim.keymap.set('n', key, act, { buffer = shown.buffer, nowait = true, silent = true })
end

local function open_window(answer)
    local source = vim.api.nvim_get_current_win()
    if is_open() then vim.api.nvim_win_close(vim.fn.bufwinid(shown.buffer), true) end
    vim.cmd('botright new')
    shown = { answer = answer, buffer = vim.api.nvim_get_current_buf(), source = source, observed = false, anchored = {} }
    for option, value in pairs({ buftype = 'nofile', bufhidden = 'wipe', swapfile = false, filetype = 'heddle-witness' }) do
        vim.bo[shown.buffer][option] = value
    end
    for option, value in pairs({ number = false, relativenumber = false, wrap = false, cursorline = true, winfixheight = true }) do
        vim.wo[option] = value
    end
    pcall(vim.api.nvim_buf_set_name, shown.buffer, 'heddle://' .. answer.headline)
    map('<CR>', function()
        show_source(shown.steps[shown.line])
        vim.api.nvim_set_current_win(source_window())
    end)
    map(']w', function() M.step(1) end)
    map('[w', function() M.step(-1) end)
    map('o', M.toggle_observed)
    map('q', '<Cmd>close<CR>')
    local group = vim.api.nvim_create_augroup('HeddleWitness', {})
    vim.api.nvim_create_autocmd('CursorMoved', { group = group, buffer = shown.buffer, callback = follow })
    vim.api.nvim_create_autocmd('BufWipeout', {
        group = group,
        buffer = shown.buffer,
        callback = function()
            M.clear_mark()
            clear_anchors()
        end,
    })
end

--- Opens the witness of a bug.
function M.show(bug)
    client.execute('heddle.showWitness', { bug = bug, show = false }, function(answer)
        open_window(answer)
        draw()
        for _, step in pairs(shown.steps) do
            anchor(step)
        end
        go_to_line(line_of(function(step) return step.step == story().shown end))
    end)
end

return M
