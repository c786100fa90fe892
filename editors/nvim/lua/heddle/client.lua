-- The connection to the daemon, by whichever API this Neovim has: start_client and buf_attach_client (0.7), or start (0.8 on).
local M = {}

M.status = nil -- what the daemon told last (docs/daemon.md, heddle/status)

local config
local started = {} -- by root: id of the client, for Neovim 0.7, which does not look for one itself

local function find_root(file)
    local from = vim.fn.fnamemodify(file, ':p:h')
    for _, name in ipairs({ '.heddle', '.git', 'compile_commands.json' }) do
        local find = name:find('json') and vim.fn.findfile or vim.fn.finddir
        local found = find(name, vim.fn.escape(from, ' ,;') .. ';')
        if found ~= '' then return vim.fn.fnamemodify(found:gsub('/$', ''), ':p'):gsub('/$', ''):gsub('/[^/]*$', '') end
    end
    return vim.fn.getcwd()
end

--- Diagnostics are to be pushed, as they are to clients that cannot be told to ask again: 0.12, when it is told, asks for those of
--- the whole workspace and then leaves out the files that are open.
local function capabilities()
    local all = vim.lsp.protocol.make_client_capabilities()
    all.workspace.diagnostics = { refreshSupport = false }
    return all
end

--- Says that a daemon ended by itself, and what to do. One that was asked to end does so with status 0, once it has begun.
local function tell_end(began, status, signal)
    if vim.v.exiting ~= vim.NIL or (began and status == 0 and signal == 0) then return end
    local how = signal ~= 0 and ('signal %d'):format(signal) or ('status %d'):format(status)
    local words = began and 'Heddle: the daemon ended (%s); :edit starts it again'
        or 'Heddle: the daemon ended while it was starting (%s); see :checkhealth heddle'
    vim.schedule(function() vim.notify(words:format(how), vim.log.levels.ERROR) end)
end

local function options(root)
    local began = false
    return {
        name = 'heddle',
        capabilities = capabilities(),
        cmd = config.cmd,
        root_dir = root,
        init_options = { status = true, heddle = config.settings },
        settings = { heddle = config.settings },
        handlers = {
            ['heddle/status'] = function(_, status)
                M.status = status
                vim.cmd('redrawstatus!')
                vim.cmd('silent doautocmd <nomodeline> User HeddleStatus')
            end,
        },
        on_init = function() began = true end,
        on_exit = function(status, signal)
            started[root] = nil
            M.status = nil
            tell_end(began, status, signal)
        end,
    }
end

function M.configure(wanted)
    config = wanted
end

function M.command()
    return config and config.cmd or { 'heddle', 'lsp', '--connect' }
end

--- Starts the daemon for a buffer's folder, or joins it.
function M.attach(buffer)
    local file = vim.api.nvim_buf_get_name(buffer)
    if file == '' or vim.bo[buffer].buftype ~= '' then return end
    if vim.fn.executable(config.cmd[1]) == 0 then
        vim.notify_once(config.cmd[1] .. ' is not found: install Heddle, or see :checkhealth heddle', vim.log.levels.WARN)
        return
    end
    local root = config.root_dir and config.root_dir(file) or find_root(file)
    if vim.lsp.start then
        vim.lsp.start(options(root), { bufnr = buffer })
    else
        started[root] = started[root] or vim.lsp.start_client(options(root))
        if started[root] then vim.lsp.buf_attach_client(buffer, started[root]) end
    end
end

--- The client, if there is one that is ready: of this buffer, or any.
function M.get(buffer)
    local all = vim.lsp.get_clients and vim.lsp.get_clients({ name = 'heddle' }) or vim.lsp.get_active_clients()
    local any
    for _, client in ipairs(all) do
        if client.name == 'heddle' and client.server_capabilities then
            if buffer and vim.lsp.buf_is_attached(buffer, client.id) then return client end
            any = client
        end
    end
    return any
end

function M.offers(command)
    local client = M.get()
    local provider = client and client.server_capabilities.executeCommandProvider
    return provider ~= nil and vim.tbl_contains(provider.commands, command)
end

--- Asks the daemon to do something; `take` gets the answer, a refusal is told to the person.
function M.execute(command, argument, take)
    local client = M.get(vim.api.nvim_get_current_buf())
    if not client then return vim.notify('Heddle is not running; see :checkhealth heddle', vim.log.levels.ERROR) end
    local params = { command = command, arguments = argument and { argument } or {} }
    local function answered(err, result)
        if err then return vim.notify('Heddle: ' .. err.message, vim.log.levels.ERROR) end
        if take then take(result) end
    end
    if vim.fn.has('nvim-0.11') == 1 then
        client:request('workspace/executeCommand', params, answered)
    else
        client.request('workspace/executeCommand', params, answered)
    end
end

return M
