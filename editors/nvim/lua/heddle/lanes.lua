-- A schedule as lines of text: one lane a thread, time from top to bottom, a heavy bar where a lock is held.
local M = {}

local number_width = 4

local width_of = vim.fn.strdisplaywidth

--- Fills a text up to a column of the screen; longer ones stay.
local function fill(text, column)
    return text .. (' '):rep(column - width_of(text))
end

local function words_of(step)
    local words = step.value and (step.words .. ' ' .. step.value) or step.words
    if step.line and step.line > 0 then words = words .. '  :' .. step.line end
    return step.marked and ('▶ ' .. words .. ' ◀') or words
end

local function names(locks)
    return vim.tbl_map(function(lock) return lock.name end, locks)
end

--- What a row leaves a thread with; nil when it is not about that thread.
local function held_after(row, thread)
    for _, part in ipairs(row.step and { row } or row.left_out) do
        if part.thread_id == thread.thread_id then return part.held_after end
    end
end

local function cell_words(row, thread)
    if row.step then return row.thread_id == thread and words_of(row) or nil end
    for _, part in ipairs(row.left_out) do
        if part.thread_id == thread then return '… ' .. part.events .. (part.events == 1 and ' event' or ' events') end
    end
end

--- Where each lane begins. The last is as wide as its words, but no more than half of the window; the others share the rest, and their words may go on over the
--- lanes to their right, which are empty in that row.
local function beginnings(story, columns)
    local count = #story.threads
    local last = width_of(story.threads[count].full_name)
    for _, row in ipairs(story.rows) do
        local words = cell_words(row, story.threads[count].thread_id)
        if words then last = math.max(last, width_of(words) + 2) end
    end
    last = math.min(last, math.floor(columns / 2))
    local share = count > 1 and math.floor((columns - number_width - last) / (count - 1)) or 0
    local result = {}
    for lane = 1, count do
        result[lane] = number_width + (lane - 1) * math.min(math.max(share, 10), 40)
    end
    return result
end

--- One line: the bars of all lanes, and words over them.
local function row_line(row, story, held, at)
    local line = row.step and ('%2d'):format(row.step) or ''
    for lane, thread in ipairs(story.threads) do
        local words = cell_words(row, thread.thread_id)
        if words or width_of(line) <= at[lane] then
            line = fill(line, at[lane]) .. (#held[lane] > 0 and '┃ ' or '╎ ') .. (words and words .. ' ' or '')
        end
    end
    return (line:gsub('%s+$', ''))
end

--- Lines for a window of so many columns; the second result has for each line the step that it shows, if any.
function M.draw(story, columns)
    local at, head, held = beginnings(story, columns), '', {}
    for lane, thread in ipairs(story.threads) do
        held[lane] = names(thread.held_before)
        head = fill(head, at[lane]) .. thread.full_name .. ' '
    end
    local lines, steps = { head }, {}
    for _, row in ipairs(story.rows) do
        for lane, thread in ipairs(story.threads) do
            held[lane] = held_after(row, thread) or held[lane]
        end
        table.insert(lines, row_line(row, story, held, at))
        if row.step then steps[#lines] = row end
    end
    for _, thread in ipairs(story.threads) do
        if #thread.held_at_end > 0 then
            table.insert(lines, ('    %s holds %s at the end'):format(thread.full_name, table.concat(names(thread.held_at_end), ', ')))
        end
    end
    return lines, steps
end

return M
