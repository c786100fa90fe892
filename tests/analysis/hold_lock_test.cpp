// Locks that are held around an access, as a person would write it. In the sources, the access to be guarded
// is between [[ and ]], the guarded one between << and >>, and its lock between {{ and }}.
#include "analysis/source/hold_lock.h"
#include "marked_text.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

/// What becomes of the lines that change; empty when there is no fix.
std::string fixed(const std::string& source, Language language = Language::cpp) {
    const test::MarkedText marked(source);
    const SyntaxTree tree = SyntaxTree::parse(marked.text(), language);
    const ByteRange access = *marked.range("[[", "]]");
    const LockHabit habit{
        .tree = tree, .lock = *marked.range("{{", "}}"), .access = marked.range("<<", ">>")};
    const auto held = hold_lock(tree, access, habit);
    if (!held) return {};
    const std::string text = rewritten(marked.text(), held->edits);
    const std::size_t first = held->edits.front().range.first;
    const std::size_t behind = marked.text().size() - std::max(access.end, held->edits.back().range.end);
    return text.substr(first, text.find('\n', text.size() - behind) - first);
}

constexpr std::string_view kAccount = R"(
struct Account { std::mutex mu; long balance; };
void deposit(Account* acct) {
    std::lock_guard<std::mutex> lock({{acct->mu}});
    <<acct->balance>> += 1;
}
)";

std::string account(std::string_view more) {
    return std::string(kAccount) + std::string(more);
}

TEST(HoldLock, of_the_object_that_is_accessed_here) {
    EXPECT_EQ(fixed(account("void bonus(Account& other) {\n    [[other.balance]] += 5;\n}\n")),
              "std::lock_guard<std::mutex> lock(other.mu);\n    other.balance += 5;");
    EXPECT_EQ(
        fixed(account("void bonus(Bank* b) {\n    b->accounts[i + 1].x();\n    if "
                      "([[b->accounts[1].balance]] > 5) f();\n}\n")),
        "std::lock_guard<std::mutex> lock(b->accounts[1].mu);\n    if (b->accounts[1].balance > 5) f();");
}

TEST(HoldLock, under_a_name_that_is_free) {
    EXPECT_EQ(fixed(account("void bonus(Account* a, int lock) {\n    [[a->balance]] += lock;\n}\n")),
              "std::lock_guard<std::mutex> lock_(a->mu);\n    a->balance += lock;");
}

TEST(HoldLock, not_of_a_const_object) {
    EXPECT_EQ(fixed(account("long total(const Account& a) {\n    return [[a.balance]];\n}\n")), "");
    EXPECT_EQ(fixed(account("void total() {\n    for (const Account& a : all) n += [[a.balance]];\n}\n")),
              "");
}

TEST(HoldLock, of_the_object_whose_function_it_is) {
    const auto member = [](std::string_view lock, std::string_view constness) {
        return std::string("class A {\n    ") + std::string(lock) +
               " mu;\n    void set() {\n        std::scoped_lock guard({{mu}});\n        <<n>> = 1;\n    }\n"
               "    int get() " +
               std::string(constness) + "{\n        return [[n]];\n    }\n    int n;\n};\n";
    };
    const std::string wanted = "std::scoped_lock guard(mu);\n        return n;";
    EXPECT_EQ(fixed(member("std::mutex", "")), wanted);
    EXPECT_EQ(fixed(member("std::mutex", "const ")), "");
    EXPECT_EQ(fixed(member("mutable std::mutex", "const ")), wanted);
}

TEST(HoldLock, of_a_global_if_it_is_declared_before) {
    const std::string use = "void bonus() {\n    [[total]] += 1;\n}\n";
    const std::string habit =
        "void add() {\n    const std::lock_guard<std::mutex> lock({{mu}});\n    <<total>> += 2;\n}\n";
    const std::string wanted = "const std::lock_guard<std::mutex> lock(mu);\n    total += 1;";
    EXPECT_EQ(fixed("static std::mutex mu;\n" + habit + use), wanted);
    EXPECT_EQ(fixed("namespace a {\nstd::mutex mu;\n" + use + habit + "}\n"), wanted);
    EXPECT_EQ(fixed(use + "static std::mutex mu;\n" + habit), "");
    EXPECT_EQ(fixed("void add() {\n    static std::mutex mu;\n    std::lock_guard lock({{mu}});\n    "
                    "<<total>> += 2;\n}\n" +
                    use),
              "");
}

TEST(HoldLock, with_a_call_before_and_one_after_in_c) {
    const std::string habit = "pthread_mutex_t mu;\nvoid add(void) {\n    pthread_mutex_lock(&{{mu}});\n    "
                              "<<total>> += 2;\n    pthread_mutex_unlock(&mu);\n}\n";
    EXPECT_EQ(fixed(habit + "void bonus(void) {\n    [[total]] += 1;\n}\n", Language::c),
              "pthread_mutex_lock(&mu);\n    total += 1;\n    pthread_mutex_unlock(&mu);");
    EXPECT_EQ(fixed(habit + "int get(void) {\n    const int n = [[total]];\n    return n;\n}\n", Language::c),
              "pthread_mutex_lock(&mu);\n    const int n = total;\n    pthread_mutex_unlock(&mu);");
    EXPECT_EQ(fixed(habit + "int get(void) {\n    return [[total]];\n}\n", Language::c),
              "pthread_mutex_lock(&mu);\n    const int result = total;\n    pthread_mutex_unlock(&mu);\n"
              "    return result;");
    EXPECT_EQ(fixed(habit + "struct s get(void) {\n    return make([[total]]);\n}\n", Language::c), "")
        << "of a type that is not known to be copied as it is";
    EXPECT_EQ(fixed(habit + "void f(void) {\n    if ([[total]] > 1) return;\n}\n", Language::c), "");
}

TEST(HoldLock, of_one_that_is_locked_by_hand) {
    const auto source = [](std::string_view type, std::string_view use) {
        return "static " + std::string(type) +
               " mu;\nstatic int total;\nvoid add() {\n    {{mu}}.lock();\n    <<total>> += 2;\n    "
               "mu.unlock();\n}\n" +
               std::string(use);
    };
    EXPECT_EQ(fixed(source("std::mutex", "int get() {\n    return [[total]];\n}\n")),
              "const std::lock_guard<std::mutex> lock(mu);\n    return total;");
    EXPECT_EQ(fixed(source("SpinLock", "void bonus() {\n    [[total]] += 1;\n}\n")),
              "mu.lock();\n    total += 1;\n    mu.unlock();")
        << "a guard for a lock of a type that is not known might not compile";
    EXPECT_EQ(fixed(source("SpinLock", "void bonus(int n) {\n    if ([[total]] > n) return;\n}\n")), "");
}

TEST(HoldLock, with_the_ends_of_lines_and_blanks_of_the_text) {
    EXPECT_EQ(
        fixed(
            "std::mutex mu;\r\nint n;\r\nvoid f() {\r\n\tstd::scoped_lock l({{mu}});\r\n\t<<n>> = 1;\r\n}\r\n"
            "void g() {\r\n\t[[n]] = 2;\r\n}\r\n"),
        "std::scoped_lock l(mu);\r\n\tn = 2;\r");
    EXPECT_EQ(fixed("std::mutex mu;\nint n;\nvoid f() { std::scoped_lock l({{mu}}); <<n>> = 1; }\n"
                    "int g() { return [[n]]; }\n"),
              "std::scoped_lock l(mu); return n; }");
}

TEST(HoldLock, that_another_file_shows) {
    const std::string header =
        "struct Pool {\n    mutable std::mutex mu;\n    int size() const;\n    int n;\n};\n"
        "extern std::mutex all;\n";
    const std::string habit =
        "void Pool::add() {\n    std::lock_guard<std::mutex> lock(mu);\n    n += 1;\n}\n";
    const std::string here = "#include \"pool.h\"\nint Pool::size() const {\n    return n;\n}\n";
    const SyntaxTree declared = SyntaxTree::parse(header, Language::cpp);
    const SyntaxTree other = SyntaxTree::parse(habit, Language::cpp);
    const SyntaxTree tree = SyntaxTree::parse(here, Language::cpp);
    const std::vector<const SyntaxTree*> headers = {&declared};
    const auto at = [](const std::string& text, const std::string& what) {
        const auto first = static_cast<std::uint32_t>(text.rfind(what));
        return ByteRange{first, static_cast<std::uint32_t>(first + what.size())};
    };
    const LockHabit how{.tree = other, .lock = at(habit, "mu"), .access = at(habit, "n")};
    const ByteRange access{at(here, "n;").first, at(here, "n;").first + 1};
    const auto held = hold_lock(tree, access, how, headers);
    ASSERT_TRUE(held);
    EXPECT_EQ(rewritten(here, held->edits), "#include \"pool.h\"\nint Pool::size() const {\n    "
                                            "std::lock_guard<std::mutex> lock(mu);\n    return n;\n}\n");
    EXPECT_FALSE(hold_lock(tree, access, how)) << "without the header nobody knows that it is mutable";
}

TEST(HoldLock, not_where_a_declaration_cannot_be) {
    EXPECT_EQ(
        fixed(account(
            "void f(Account* a, int n) {\n    switch (n) {\n    case 1: [[a->balance]] = 1;\n    }\n}\n")),
        "");
    EXPECT_EQ(fixed(account("struct B { B(Account* a) : n([[a->balance]]) {} long n; };\n")), "");
}

} // namespace
} // namespace heddle::source
