#include "daemon/fix/sources.h"

#include "analysis/source/member_path.h"
#include "daemon/service/report_cache.h"
#include "daemon/service/source_versions.h"
#include "daemon/settings/text_file.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <system_error>

namespace heddle::fix {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMaxBytes = std::size_t{8} << 20U;     ///< of a file somebody wrote
constexpr std::size_t kMaxAllBytes = std::size_t{64} << 20U; ///< of all that are searched
constexpr std::size_t kMaxEntries = 50'000;                  ///< of folders that are looked at
constexpr std::size_t kMaxHeaders = 200;

bool is_header_of_either(const std::string& path) {
    return fs::path(path).extension() == ".h";
}

/// What a text includes, in quotes or in angle brackets: the workspace may have it either way.
std::vector<std::string> included_in(std::string_view text) {
    static constexpr std::string_view kDirective = "#include ";
    std::vector<std::string> names;
    for (std::size_t at = text.find(kDirective); at != std::string_view::npos;
         at = text.find(kDirective, at + 1)) {
        const std::size_t first = at + kDirective.size();
        const std::size_t end = text.find_first_of("\">\n", first + 1);
        if (end != std::string_view::npos && text[end] != '\n')
            names.emplace_back(text.substr(first + 1, end - first - 1));
    }
    return names;
}

/// <vector>, <sys/types.h>: a search for what the compiler brings along would find nothing, as a rule.
bool has_extension(std::string_view name) {
    return name.find('.') != std::string_view::npos;
}

} // namespace

const Source* Sources::find(std::string_view file) {
    const std::string path = (fs::path(root_) / file).lexically_normal().string();
    const auto language = language_of(path);
    return language ? at(path, *language) : nullptr;
}

std::optional<report::SourceVersion> Sources::version_of(const std::string& path) const {
    if (!path.starts_with(root_ + "/")) return std::nullopt;
    for (const report::SourceVersion& known : report_.sources) {
        if ((fs::path(root_) / known.file).lexically_normal() != path) continue;
        return known.text && !known.changed ? std::optional(known) : std::nullopt;
    }
    auto text = settings::read_text_file(path, kMaxBytes);
    if (!text || !*text) return std::nullopt;
    if (report_.recorded_unix_ns && service::changed_after(path, *report_.recorded_unix_ns))
        return std::nullopt;
    report::SourceVersion version;
    version.file = path;
    version.hash = service::ReportCache::hash_of_text(**text);
    version.text = std::make_shared<const std::string>(std::move(**text));
    return version;
}

const Source* Sources::at(const std::string& path, Language language) {
    const auto [found, fresh] = known_.try_emplace({path, language});
    if (!fresh) return found->second.get();
    if (auto version = version_of(path)) {
        source::SyntaxTree tree = source::SyntaxTree::parse(*version->text, language);
        found->second = std::make_unique<Source>(Source{path, std::move(*version), std::move(tree)});
    }
    return found->second.get();
}

std::vector<const source::SyntaxTree*> Sources::headers_of(const Source& source) {
    std::vector<const Source*> found = {&source};
    for (std::size_t i = 0; i < found.size() && found.size() < kMaxHeaders; ++i) {
        for (const std::string& name : included_in(*found[i]->version.text)) {
            // Beside the file that includes it, or somewhere that the compiler was told of.
            std::string path = (fs::path(found[i]->path).parent_path() / name).lexically_normal().string();
            std::error_code ignored;
            if (!has_extension(name)) continue;
            if (!fs::is_regular_file(path, ignored)) {
                path.clear();
                for (const std::string& one : files().value_or(std::vector<std::string>())) {
                    if (one.ends_with("/" + name)) path = one;
                }
            }
            const Source* header = path.empty() ? nullptr : at(path, source.tree.language());
            if (header != nullptr && std::ranges::find(found, header) == found.end()) found.push_back(header);
        }
    }
    std::vector<const source::SyntaxTree*> trees;
    for (const Source* one : found) {
        if (one != &source) trees.push_back(&one->tree);
    }
    return trees;
}

const std::optional<std::vector<std::string>>& Sources::files() {
    if (files_) return *files_;
    files_.emplace(std::vector<std::string>());
    std::error_code error;
    std::size_t entries = 0;
    fs::recursive_directory_iterator at(root_, fs::directory_options::skip_permission_denied, error);
    for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (++entries > kMaxEntries) {
            files_->reset();
            break;
        }
        std::error_code ignored;
        if (at->is_directory(ignored)) {
            if (name.starts_with('.') || name == "node_modules" || name == "CMakeFiles")
                at.disable_recursion_pending();
        } else if (at->is_regular_file(ignored) && language_of(name)) {
            (*files_)->push_back(at->path().string());
        }
    }
    if (error) files_->reset();
    return *files_;
}

std::optional<std::vector<const Source*>> Sources::with_names(const Source& own,
                                                              const std::vector<std::string>& names) {
    const auto& files = this->files();
    if (!files) return std::nullopt;
    std::vector<std::string> paths;
    std::size_t bytes = 0;
    for (const std::string& path : *files) {
        const auto text = settings::read_text_file(path, kMaxBytes);
        if (!text || !*text) return std::nullopt;
        bytes += (*text)->size();
        if (bytes > kMaxAllBytes) return std::nullopt;
        const bool has_one = std::ranges::any_of(
            names, [&](const std::string& name) { return source::has_name(**text, name); });
        if (path != own.path && has_one) paths.push_back(path);
    }
    paths.insert(paths.begin(), own.path);
    const auto in = [&](Language language) {
        return std::ranges::any_of(paths, [&](const std::string& path) {
            return !is_header_of_either(path) && language_of(path) == language;
        });
    };
    if (in(Language::c) && in(Language::cpp)) return std::nullopt;
    std::vector<const Source*> result;
    for (const std::string& path : paths) {
        result.push_back(at(path, in(Language::c) ? Language::c : Language::cpp));
        if (result.back() == nullptr) return std::nullopt;
    }
    return result;
}

} // namespace heddle::fix
