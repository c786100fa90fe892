// Locks that are held around an access, as a person would write it. In the sources, the access to be guarded
// is between [[ and ]], the guarded one between << and >>, and its lock between {{ and }}.
#include "analysis/source/hold_lock.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

/// Takes the marks out of the text; the range between them.
ByteRange take_marks(std::string& text, std::string_view open, std::string_view close) {
    const std::size_t first = text.find(open);
    text.erase(first, open.size());
    const std::size_t end = text.find(close);
    text.erase(end, close.size());
    return {static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(end)};
}

/// Of text in front of a range nothing else may be taken out: so the last marks are taken first.
struct Marked {
    std::string text;
    LockHabit habit;
    ByteRange access;

    explicit Marked(std::string source) : text(std::move(source)) {
        const std::string marks = text;
        const auto bare = [&](std::size_t at) { // without the marks in front of it
            std::size_t count = 0;
            for (const std::string_view mark : {"[[", "]]", "<<", ">>", "{{", "}}"}) {
                if (marks.find(mark) < at) count += 2;
            }
            return static_cast<std::uint32_t>(at - count);
        };
        const auto range = [&](std::string_view open, std::string_view close) {
            const std::size_t first = marks.find(open) + 2;
            return ByteRange{bare(first), bare(marks.find(close))};
        };
        habit = {.lock = range("{{", "}}"), .access = range("<<", ">>")};
        access = range("[[", "]]");
        take_marks(text, "{{", "}}");
        take_marks(text, "<<", ">>");
        take_marks(text, "[[", "]]");
    }
};

/// The line or lines around the access, as they become; empty when there is no fix.
std::string fixed(const std::string& source, Language language = Language::cpp) {
    const Marked marked(source);
    const SyntaxTree tree = SyntaxTree::parse(marked.text, language);
    const auto held = hold_lock(tree, marked.habit, marked.access);
    if (!held) return {};
    std::string text = marked.text;
    const std::size_t first = held->edits.front().byte;
    for (auto edit = held->edits.rbegin(); edit != held->edits.rend(); ++edit)
        text.insert(edit->byte, edit->text);
    const std::size_t behind = marked.text.size() - marked.access.end;
    const std::size_t end =
        std::max(text.find('\n', text.size() - behind),
                 held->edits.size() == 1 ? 0 : text.find('\n', text.find("_unlock", first)));
    return text.substr(first, end - first);
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
    EXPECT_EQ(fixed(habit + "int get(void) {\n    return [[total]];\n}\n", Language::c), "") << "no way out";
    EXPECT_EQ(fixed(habit + "void f(void) {\n    if ([[total]] > 1) return;\n}\n", Language::c), "");
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
