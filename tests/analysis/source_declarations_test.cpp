#include "analysis/source/declarations.h"
#include "analysis/source/member_owner.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace heddle::source {
namespace {

/// The declaration with what stands before and after it in its line.
std::string declared(std::string_view text, std::string_view name, Language language = Language::cpp) {
    const SyntaxTree tree = SyntaxTree::parse(std::string(text), language);
    const auto range = declaration_of(tree, name);
    if (!range) return "nothing";
    const std::size_t begin = text.rfind('\n', range->first) + 1;
    return fmt::format("{}<{}>", text.substr(begin, range->first - begin), tree.text(*range));
}

constexpr std::string_view kText = R"(
int total;
namespace bank {
static long hits[3], misses = 2;
struct Limits { int low, high; };
class Account {
  public:
    void deposit(int n);
    std::mutex mu;
    Limits limits;
    static int count;
};
Account* current;
}
static bank::Account account;
Account accounts[10];
struct { int x; struct { int y; } inner; } anonymous;
void f() { int total; }
)";

TEST(Declarations, of_variables) {
    EXPECT_EQ(declared(kText, "total"), "int <total>");
    EXPECT_EQ(declared(kText, "bank::hits[2]"), "static long <hits>");
    EXPECT_EQ(declared(kText, "misses"), "static long hits[3], <misses>");
    EXPECT_EQ(declared(kText, "bank::current"), "Account* <current>");
    EXPECT_EQ(declared(kText, "bank::Account::count"), "    static int <count>");
    EXPECT_EQ(declared(kText, "deposit"), "nothing");
    EXPECT_EQ(declared(kText, "heap block of 8 bytes"), "nothing");
    EXPECT_EQ(declared(kText, ""), "nothing");
}

TEST(Declarations, of_members_that_functions_of_the_class_name) {
    const std::string_view text =
        "namespace bank {\ntemplate<typename T>\nclass Log {\n    int lines;\n    struct Entry {\n"
        "        int size;\n    };\n};\n}\nclass Log {\n    long lines;\n};\n";
    const SyntaxTree tree = SyntaxTree::parse(std::string(text), Language::cpp);
    const Declarations declarations(tree);
    const auto line = [&](std::string_view function, std::string_view name) {
        const auto range = declarations.find(OwnMember{function, name});
        return range ? std::count(text.begin(), text.begin() + range->first, '\n') + 1 : 0;
    };
    EXPECT_EQ(line("bank::Log<std::map<int, long> >::add", "lines"), 4);
    EXPECT_EQ(line("bank::Log<int>::Entry::grow", "size"), 6);
    EXPECT_EQ(line("Log::add", "lines"), 11);
    EXPECT_EQ(line("Log::add", "size"), 0);
    EXPECT_EQ(line("shop::Log::add", "lines"), 0) << "another class";
    EXPECT_EQ(line("Log::add::{lambda}", "lines"), 0);
    EXPECT_EQ(line("Log::operator<", "lines"), 0);
    EXPECT_EQ(line("add", "lines"), 0);
}

TEST(Declarations, in_the_scope_that_the_name_has) {
    const std::string_view text =
        "namespace a {\nint n;\n}\nnamespace {\nint hidden;\n}\nnamespace b {\nlong n;\n}\n";
    EXPECT_EQ(declared(text, "a::n"), "int <n>");
    EXPECT_EQ(declared(text, "b::n"), "long <n>");
    EXPECT_EQ(declared(text, "n"), "nothing") << "which one is not known";
    EXPECT_EQ(declared(text, "next::n"), "nothing") << "a function's own";
    EXPECT_EQ(declared(text, "hidden"), "int <hidden>");
}

TEST(Declarations, not_where_a_member_is_used) {
    const std::string_view text =
        "class Cache {\n    int size() const { return size_; }\n    int limit = size_;\n"
        "    int size_ = 0;\n};\nCache cache;\n";
    EXPECT_EQ(declared(text, "cache.size_"), "    int <size_>");
}

TEST(Declarations, of_members) {
    EXPECT_EQ(declared(kText, "account.limits"), "    Limits <limits>");
    EXPECT_EQ(declared(kText, "accounts[].mu"), "    std::mutex <mu>");
    EXPECT_EQ(declared(kText, "accounts[3].limits.high"), "struct Limits { int low, <high>");
    EXPECT_EQ(declared(kText, "anonymous.inner.y"), "struct { int x; struct { int <y>");
    EXPECT_EQ(declared(kText, "total.x"), "nothing");
    EXPECT_EQ(declared("typedef struct { long n; } Box;\nstatic Box box;\n", "box.n", Language::c),
              "typedef struct { long <n>");
    EXPECT_EQ(declared("struct box { long n; };\nstruct box b;\n", "b.n", Language::c),
              "struct box { long <n>");
}

/// The owner of what `expression` names, in a function with this declaration before it.
std::string owner(const std::string& declaration, const std::string& expression,
                  Language language = Language::cpp) {
    const std::string text = "void f() {\n    " + declaration + ";\n    " + expression + " = 0;\n}\n";
    const auto at = static_cast<std::uint32_t>(text.rfind(expression + " = 0"));
    const SyntaxTree tree = SyntaxTree::parse(text, language);
    return std::string(MemberOwners(tree).of({at, at + static_cast<std::uint32_t>(expression.size())}));
}

TEST(MemberOwner, is_what_the_object_is_declared_as) {
    EXPECT_EQ(owner("Session* s = g()", "s->seen"), "Session");
    EXPECT_EQ(owner("const app::Session& s = g()", "s.seen"), "Session");
    EXPECT_EQ(owner("struct session *s = g()", "s->seen", Language::c), "session");
    EXPECT_EQ(owner("std::unique_ptr<const app::Session> s", "s->seen"), "Session");
    EXPECT_EQ(owner("std::unique_ptr<Session> s", "s.seen"), "") << "a member of the pointer";
    EXPECT_EQ(owner("auto s = g()", "s->seen"), "");
    EXPECT_EQ(owner("Box<int> s", "s.seen"), "");
    EXPECT_EQ(owner("auto s = new app::Session(1)", "s->seen"), "Session");
    EXPECT_EQ(owner("auto s = std::make_shared<Session>()", "s->seen"), "Session");
    EXPECT_EQ(owner("auto* s = static_cast<const Session *>(p)", "s->seen"), "Session");
    EXPECT_EQ(owner("const auto& s = get<Session>(all)", "s.seen"), "") << "that may be anything";
    EXPECT_EQ(owner("auto [s, fresh] = add()", "s->seen"), "");
    EXPECT_EQ(owner("Session* s", "s->last.seen"), "") << "of whatever `last` is";
    EXPECT_EQ(owner("Session* s", "t->seen"), "");
    EXPECT_EQ(owner("Session s", "seen"), "");
}

TEST(MemberOwner, is_what_a_function_of_the_text_returns) {
    const auto returned = [](const std::string& functions, const std::string& use) {
        const std::string text = functions + "void f() {\n    " + use + "\n}\n";
        const auto at = static_cast<std::uint32_t>(text.rfind("s->seen"));
        const SyntaxTree tree = SyntaxTree::parse(text, Language::cpp);
        return std::string(MemberOwners(tree).of({at, at + 7}));
    };
    const std::string find = "Session* Server::find(int id) { return all[id]; }\n";
    EXPECT_EQ(returned(find, "auto* s = find(1); s->seen = 1;"), "Session");
    EXPECT_EQ(returned(find, "if (auto s = server.find(1)) return s->seen;"), "Session");
    EXPECT_EQ(
        returned("std::shared_ptr<app::Session> open() { return {}; }\n", "auto s = open(); s->seen = 1;"),
        "Session");
    EXPECT_EQ(returned(find + "Other* find() { return 0; }\n", "auto s = find(1); s->seen = 1;"), "");
    EXPECT_EQ(returned("auto find(int id) { return all[id]; }\n", "auto s = find(1); s->seen = 1;"), "");
    EXPECT_EQ(returned("", "auto s = find(1); s->seen = 1;"), "");
}

} // namespace
} // namespace heddle::source
