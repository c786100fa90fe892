#include "daemon/symbols/readable_name.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

namespace heddle::symbols {

namespace {

constexpr std::string_view kUnnamedNamespace = "(anonymous namespace)::";
constexpr std::string_view kLambda = "{lambda}";
/// The demangler's time and memory can grow with the square of a hostile name.
constexpr std::size_t kLongestMangled = 16384;

struct Free {
    void operator()(char* text) const { std::free(text); }
};

/// Operators with brackets in their names, longest first.
constexpr std::array<std::string_view, 13> kOperators = {
    "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "()", "[]", "<", ">"};

/// Goes over a demangled name once and keeps what names the function.
class Shortener {
  public:
    explicit Shortener(std::string_view name) : rest_(name) {}

    [[nodiscard]] std::string result() {
        while (!rest_.empty() && !ended_) step();
        return std::move(out_);
    }

  private:
    void step() {
        if (rest_.starts_with(kUnnamedNamespace)) return skip(kUnnamedNamespace.size());
        if (at_component() && lambda()) return;
        if (at_component() && rest_.starts_with("operator")) return keep_operator();
        switch (rest_.front()) {
        case '<': return keep_template_arguments();
        case '{': return keep(group('{', '}'));
        case '[': return skip(group('[', ']')); // [abi:cxx11], [clone .cold]
        case '(': return leave_out_parameters();
        case ' ': return leave_out_what_is_before();
        default: return keep(1);
        }
    }

    [[nodiscard]] bool at_component() const { return out_.empty() || out_.ends_with("::"); }
    void skip(std::size_t count) { rest_.remove_prefix(std::min(count, rest_.size())); }
    void keep(std::size_t count) {
        out_ += rest_.substr(0, count);
        skip(count);
    }

    /// The size of the bracketed text at the front; all of the rest if it does not end.
    [[nodiscard]] std::size_t group(char open, char close) const {
        std::size_t depth = 0;
        for (std::size_t i = 0; i < rest_.size(); ++i) {
            if (rest_[i] == open) ++depth;
            const bool arrow = rest_[i] == '>' && i > 0 && rest_[i - 1] == '-';
            if (rest_[i] == close && !arrow && --depth == 0) return i + 1;
        }
        return rest_.size();
    }

    /// As they are, but for lambdas.
    void keep_template_arguments() {
        const std::size_t end = rest_.size() - group('<', '>');
        keep(1);
        while (rest_.size() > end) {
            if (lambda_class()) continue;
            if (rest_.starts_with("()::")) skip(2); // of the function that a lambda is in
            keep(1);
        }
    }

    /// "{lambda(int)#1}", "{lambda}" and "<lambda(int)>" of GCC, "$_0" of Clang.
    bool lambda_class() {
        if (rest_.starts_with("{lambda(") || rest_.starts_with(kLambda)) {
            skip(group('{', '}'));
        } else if (rest_.starts_with("<lambda(")) {
            skip(group('<', '>'));
        } else if (rest_.starts_with("$_")) {
            skip(2);
            while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '9') skip(1);
        } else {
            return false;
        }
        out_ += kLambda;
        return true;
    }

    /// With the "operator()" that follows: there is nothing else in it.
    bool lambda() {
        if (!lambda_class()) return false;
        constexpr std::string_view kCall = "::operator()";
        if (rest_.starts_with(kCall)) {
            skip(kCall.size());
            if (rest_.starts_with('<')) skip(group('<', '>'));
        }
        return true;
    }

    void keep_operator() {
        keep(std::string_view("operator").size());
        for (const std::string_view symbol : kOperators) {
            if (!rest_.starts_with(symbol)) continue;
            keep(symbol.size());
            if (rest_.starts_with(" <")) skip(1);
            return;
        }
        // "operator bool", "operator new[]", "operator std::string": up to the parameters.
        if (!rest_.starts_with(' ')) return;
        while (!rest_.empty() && rest_.front() != '(') keep(rest_.front() == '<' ? group('<', '>') : 1);
    }

    void leave_out_parameters() {
        skip(group('(', ')'));
        for (bool more = true; more;) {
            more = false;
            for (const std::string_view word : {" const", " volatile", " &&", " &", " noexcept"}) {
                if (!rest_.starts_with(word)) continue;
                skip(word.size());
                more = true;
            }
        }
        // What follows is inside the function; or all this was the type that it returns.
        ended_ = !rest_.starts_with("::") && !(rest_.starts_with(' ') && !rest_.starts_with(" ["));
    }

    void leave_out_what_is_before() {
        skip(1);
        if (!rest_.starts_with('[')) out_.clear();
    }

    std::string_view rest_;
    std::string out_;
    bool ended_ = false;
};

std::string shortened(std::string_view name) {
    std::string result = Shortener(name).result();
    return result.empty() ? std::string(name) : result;
}

} // namespace

std::string demangled(std::string_view name) {
    // Without the prefix, the name of a C function may be taken for that of a type.
    if (!name.starts_with("_Z") || name.size() > kLongestMangled) return std::string(name);
    int status = 0;
    const std::unique_ptr<char, Free> text(
        abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status));
    return text != nullptr && status == 0 ? std::string(text.get()) : std::string(name);
}

std::string short_function_name(std::string_view demangled_name) {
    // What GCC makes of a part of a C function: "f.part.0", "f.constprop.0", "f.cold".
    for (const std::string_view suffix : {".part", ".constprop", ".isra", ".cold", ".lto_priv"}) {
        const std::size_t at = demangled_name.find(suffix);
        if (at != std::string_view::npos && at > 0 &&
            demangled_name.find_first_of("( ") == std::string_view::npos) {
            demangled_name = demangled_name.substr(0, at);
        }
    }
    return shortened(demangled_name);
}

std::string short_variable_name(std::string_view demangled_name) {
    constexpr std::string_view kGuard = "guard variable for ";
    if (demangled_name.starts_with(kGuard)) demangled_name.remove_prefix(kGuard.size());
    // "vtable for Shape" is a name of its own.
    return demangled_name.find(" for ") == std::string_view::npos ? shortened(demangled_name)
                                                                  : std::string(demangled_name);
}

} // namespace heddle::symbols
