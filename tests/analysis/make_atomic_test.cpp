// Variables that become atomic: the edit as a person would write it, and all the uses that forbid it.
#include "analysis/source/make_atomic.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

/// The text with the variable made atomic; empty when that is not offered.
std::string made(const std::string& text, std::string_view name, Language language = Language::cpp) {
    const SyntaxTree tree = SyntaxTree::parse(text, language);
    const std::vector<const SyntaxTree*> trees = {&tree};
    const auto variable = shared_variable(name);
    if (!variable) return {};
    const auto atomic = make_atomic(trees, 0, *variable);
    return atomic ? rewritten(text, atomic->edits[0]) : "";
}
std::string made_in_c(const std::string& text, std::string_view name) {
    return made(text, name, Language::c);
}

const std::string kHead = "#include <atomic>\n";

/// Of the declaration and a use of `hits` in a function `int use(int n)`: whether it is offered.
bool allows(const std::string& use, const std::string& type = "int", Language language = Language::cpp) {
    return !made(kHead + "void take(int n);\nvoid look(const int& n);\nstatic " + type +
                     " hits;\nint use(int n) {\n    " + use + "\n    return n;\n}\n",
                 "hits", language)
                .empty();
}
bool allows_in_c(const std::string& use, const std::string& type = "int") {
    return allows(use, type, Language::c);
}

TEST(MakeAtomic, a_global) {
    EXPECT_EQ(made("#include <mutex>\n#include <thread>\n\nstatic long hits = 0;\nvoid f() { hits += 1; }\n",
                   "hits"),
              "#include <atomic>\n#include <mutex>\n#include <thread>\n\nstatic std::atomic<long> hits{0};\n"
              "void f() { hits += 1; }\n");
    EXPECT_EQ(made("// What it is.\n#include \"a.h\"\n\nunsigned long hits;\n", "hits"),
              "// What it is.\n#include \"a.h\"\n\n#include <atomic>\n\nstd::atomic<unsigned long> hits;\n");
    EXPECT_EQ(made(kHead + "namespace a {\nvolatile bool done = false;\n}\n", "a::done"),
              kHead + "namespace a {\nstd::atomic<bool> done{false};\n}\n");
    EXPECT_EQ(made(kHead + "static int n = limit();\n", "n"),
              kHead + "static std::atomic<int> n(limit());\n");
    EXPECT_EQ(made(kHead + "static const char* last;\nvoid f(const char* x) { last = x; }\n", "last"),
              kHead + "static std::atomic<const char*> last;\nvoid f(const char* x) { last = x; }\n");
    EXPECT_EQ(made("#include <map>\r\nint n;\r\n", "n"),
              "#include <atomic>\r\n#include <map>\r\nstd::atomic<int> n;\r\n");
}

TEST(MakeAtomic, in_c) {
    EXPECT_EQ(made_in_c("static int hits = 3;\n", "hits"), "static _Atomic int hits = 3;\n");
    EXPECT_EQ(made_in_c("static volatile int hits;\n", "hits"), "static _Atomic int hits;\n");
    EXPECT_EQ(made_in_c("static const char* last;\n", "last"), "static const char* _Atomic last;\n");
    EXPECT_EQ(made_in_c("static struct { pthread_mutex_t mutex; int length; } best = {M, 7};\n"
                        "int f(void) { return best.length; }\n",
                        "best.length"),
              "static struct { pthread_mutex_t mutex; _Atomic int length; } best = {M, 7};\n"
              "int f(void) { return best.length; }\n");
}

TEST(MakeAtomic, of_a_name_that_others_have_too) {
    const std::string use =
        "void record(int length) {\n    if (length < best.length) best.length = length;\n}\n";
    EXPECT_EQ(made_in_c("static struct { int length; } best;\n" + use, "best.length"),
              "static struct { _Atomic int length; } best;\n" + use);
    EXPECT_EQ(
        made_in_c("static struct { int length; } best;\nvoid f(void) { best.length = best.length + 1; }\n",
                  "best.length"),
        "");
    EXPECT_EQ(made(kHead + "class A {\n    NOINLINE long get() const { return n; }\n    std::mutex m;\n    "
                           "long n;\n};\n",
                   "a.n"),
              kHead + "class A {\n    NOINLINE long get() const { return n; }\n    std::mutex m;\n    "
                      "std::atomic<long> n;\n};\n");
}

TEST(MakeAtomic, a_member) {
    EXPECT_EQ(
        made(
            kHead +
                "struct Account {\n    std::mutex mu;\n    long balance = 100;\n};\nstatic Account account;\n"
                "long f() { return account.balance; }\n",
            "account.balance"),
        kHead + "struct Account {\n    std::mutex mu;\n    std::atomic<long> balance{100};\n};\n"
                "static Account account;\nlong f() { return account.balance; }\n");
    EXPECT_EQ(made(kHead + "class A {\n    A() : n(0) {}\n    int get() const { return n; }\n    std::mutex "
                           "mu;\n    int n;\n};\n",
                   "a->n"),
              kHead + "class A {\n    A() : n(0) {}\n    int get() const { return n; }\n    std::mutex mu;\n"
                      "    std::atomic<int> n;\n};\n");
    EXPECT_EQ(made(kHead + "class A {\n    static int count;\n};\nint A::count = 0;\n", "A::count"),
              kHead + "class A {\n    static std::atomic<int> count;\n};\nstd::atomic<int> A::count{0};\n");
}

TEST(MakeAtomic, of_a_type_under_another_name) {
    const auto offered = [](const std::string& type, const std::string& use) {
        return !made_in_c("typedef " + type + " account;\nstatic account first;\n" + use +
                              "int get(const account* a) { return a->balance; }\n",
                          "first.balance")
                    .empty();
    };
    for (const char* type : {"struct { int balance; }", "struct account { int balance; }"}) {
        EXPECT_TRUE(offered(type, "")) << type;
        EXPECT_TRUE(offered(type, "void open(account* a) { a->balance = 1; }\n")) << type;
        EXPECT_FALSE(offered(type, "void copy(account* a) { *a = first; }\n")) << type;
        EXPECT_FALSE(offered(type, "account copy(void) { return first; }\n")) << type;
        EXPECT_FALSE(offered(type, "typedef account other;\nother copy(void) { return first; }\n")) << type;
        EXPECT_FALSE(offered(type, "typedef account *handle;\n")) << type;
    }
    const std::string head =
        kHead + "struct Account { int balance; };\nusing Plain = Account;\nPlain first;\n";
    EXPECT_NE(made(head + "int get(const Plain& a) { return a.balance; }\n", "first.balance"), "");
    EXPECT_EQ(made(head + "int get(Plain a) { return a.balance; }\n", "first.balance"), "");
    EXPECT_EQ(made(head + "using Many = std::vector<Plain>;\n", "first.balance"), "");
}

TEST(MakeAtomic, a_static_member_wherever_it_is_defined) {
    EXPECT_EQ(
        made(kHead +
                 "template <int N> struct A {\n    static int n;\n};\ntemplate <int N> int A<N>::n = 0;\n",
             "A<2>::n"),
        kHead + "template <int N> struct A {\n    static std::atomic<int> n;\n};\n"
                "template <int N> std::atomic<int> A<N>::n{0};\n");
    EXPECT_EQ(made(kHead + "struct A {\n    inline static int n = 0;\n};\n", "A::n"),
              kHead + "struct A {\n    inline static std::atomic<int> n{0};\n};\n");
    EXPECT_EQ(made(kHead + "struct A {\n    static int n;\n};\n", "A::n"), "") << "defined who knows where";
}

TEST(MakeAtomic, also_where_other_files_declare_it) {
    const std::string header = "#pragma once\nextern int hits;\n";
    const std::string defined = "#include \"hits.h\"\nint hits;\n";
    const std::string used = "#include \"hits.h\"\nvoid f() { ++hits; }\n";
    const SyntaxTree trees[] = {SyntaxTree::parse(used, Language::cpp),
                                SyntaxTree::parse(header, Language::cpp),
                                SyntaxTree::parse(defined, Language::cpp)};
    const std::vector<const SyntaxTree*> all = {&trees[0], &trees[1], &trees[2]};
    const auto atomic = make_atomic(all, 0, *shared_variable("hits"));
    ASSERT_TRUE(atomic);
    EXPECT_TRUE(atomic->edits[0].empty());
    EXPECT_EQ(rewritten(header, atomic->edits[1]),
              "#pragma once\n#include <atomic>\n\nextern std::atomic<int> hits;\n");
    EXPECT_EQ(rewritten(defined, atomic->edits[2]),
              "#include \"hits.h\"\n\n#include <atomic>\nstd::atomic<int> hits;\n");
}

TEST(MakeAtomic, where_the_uses_mean_the_same) {
    for (const char* use : {"hits++;",
                            "++hits;",
                            "hits += n;",
                            "hits = 5;",
                            "hits = n;",
                            "hits |= 1;",
                            "n = hits;",
                            "int y = hits;",
                            "if (hits > 3) n = 1;",
                            "while (!hits) n++;",
                            "return hits;",
                            "take(hits);",
                            "n = hits + 2 * n;",
                            "long y = (long)hits;",
                            "n = static_cast<int>(hits);",
                            "std::cout << hits << 1;",
                            "for (int i = 0; i < hits; ++i) n++;",
                            "switch (hits) { case 1: n = 1; }",
                            "n = hits ? 1 : 2;",
                            "if (hits && !all.empty()) n = 1;",
                            "return hits || !all.empty();",
                            "auto f = [] { return hits > 3; };",
                            "{ int hits = 3; n = hits; }",
                            "int hits = 3; auto y = hits;"}) {
        EXPECT_TRUE(allows(use)) << use;
    }
}

TEST(MakeAtomic, not_where_a_use_would_not_compile_or_mean_something_else) {
    for (const char* use : {"int* p = &hits;",
                            "int& r = hits;",
                            "const int& r = hits;",
                            "auto y = hits;",
                            "printf(\"%d\", hits);",
                            "look(hits);",
                            "unknown(hits);",
                            "n = n > 2 ? hits : 0;",
                            "hits = hits + 1;",
                            "hits *= 2;",
                            "hits <<= 1;",
                            "std::string s = hits;",
                            "auto f = [] { return hits; };",
                            "LOG(hits);",
                            "n = std::max(hits, n);",
                            "memcpy(&hits, &n, 4);",
                            "n = sizeof(hits);",
                            "decltype(hits) y = 1;",
                            "std::swap(hits, n);",
                            "std::vector<int> v{hits};",
                            "v.push_back(hits);",
                            "n = text + hits;"}) {
        EXPECT_FALSE(allows(use)) << use;
    }
    EXPECT_FALSE(allows("hits += 1;", "double")) << "not before C++20";
    EXPECT_FALSE(allows("hits |= true;", "bool"));
    EXPECT_FALSE(allows("n = hits->size;", "Settings*")) << "an atomic pointer has no ->";
    EXPECT_FALSE(allows("hits = 1;", "Money")) << "of a type that nobody knows";
}

TEST(MakeAtomic, where_c_takes_it_for_a_plain_one) {
    for (const char* use :
         {"printf(\"%d\", hits);", "n = n > 2 ? hits : 0;", "hits *= 2;", "int a[] = {hits};"})
        EXPECT_TRUE(allows_in_c(use)) << use;
    EXPECT_TRUE(allows_in_c("n = hits->size;", "struct settings*"));
    EXPECT_TRUE(allows_in_c("hits = 0.5;", "double"));
    EXPECT_FALSE(allows_in_c("hits += 0.5;", "double")) << "needs a library that is not linked by itself";
    EXPECT_FALSE(allows_in_c("extern int hits; hits++;")) << "it would be declared as two things";
    for (const char* use : {"int* p = &hits;", "hits = hits + 1;", "LOG(hits);", "n = sizeof(hits);",
                            "n = sizeof hits;", "switch (hits) { case 1: n = 1; }"})
        EXPECT_FALSE(allows_in_c(use)) << use;
}

TEST(MakeAtomic, in_the_scope_that_it_is_in) {
    const std::string two = kHead + "namespace {\nint n;\n}\nnamespace bank {\nint n;\n}\n";
    EXPECT_THAT(made(two, "n"),
                testing::HasSubstr("namespace {\nstd::atomic<int> n;\n}\nnamespace bank {\nint n;"));
    EXPECT_THAT(made(two, "bank::n"),
                testing::HasSubstr("namespace {\nint n;\n}\nnamespace bank {\nstd::atomic<int> n;"));
    EXPECT_EQ(made(two, "other::n"), "");
    EXPECT_THAT(
        made(kHead + "int n;\ntemplate <class T> void f() {\n    static int n;\n}\n", "f<int>::n"),
        testing::HasSubstr("int n;\ntemplate <class T> void f() {\n    static std::atomic<int> n;\n}\n"));
    EXPECT_THAT(made(kHead + "namespace {\nstruct S { static int k; };\nint S::k;\n}\n", "S::k"),
                testing::HasSubstr("struct S { static std::atomic<int> k; };\nstd::atomic<int> S::k;\n"));
}

TEST(MakeAtomic, not_of_what_is_declared_in_another_way) {
    EXPECT_EQ(made(kHead + "int a, b;\n", "a"), "");
    EXPECT_EQ(made(kHead + "int a[3];\n", "a"), "");
    EXPECT_EQ(made(kHead + "const int a = 3;\n", "a"), "");
    EXPECT_EQ(made(kHead + "thread_local int a;\n", "a"), "");
    EXPECT_EQ(made(kHead + "std::atomic<int> a;\n", "a"), "");
    EXPECT_EQ(made(kHead + "struct A { std::mutex m; int a : 3; };\n", "x.a"), "");
    EXPECT_EQ(made(kHead + "int a;\n#define A a\n", "a"), "");
    EXPECT_EQ(made(kHead + "struct A { std::mutex m; int a = kStart; };\n", "x.a"), "")
        << "braces may refuse it";
}

TEST(MakeAtomic, not_where_the_object_is_used_as_a_whole) {
    const auto offered = [](const std::string& more, const std::string& members = "int n;") {
        return !made(kHead + "struct S { " + members + " };\n" + more + "void f(S* s) { s->n = 1; }\n",
                     "s->n")
                    .empty();
    };
    EXPECT_TRUE(offered("static S all;\n"));
    EXPECT_FALSE(offered("static S all = {1};\n"));
    EXPECT_FALSE(offered("static S all = {1};\n", "std::mutex m; int n;"));
    EXPECT_TRUE(offered("static S all = {1};\n", "S(int); std::mutex m; int n;"));
    EXPECT_FALSE(offered("void g(S s);\n"));
    EXPECT_FALSE(offered("S make();\n"));
    EXPECT_FALSE(offered("std::vector<S> all;\n"));
    EXPECT_TRUE(offered("std::vector<S*> all;\n"));
    EXPECT_TRUE(offered("std::unique_ptr<S> one;\n"));
    EXPECT_FALSE(offered("void g(S* a, S* b) { *a = *b; }\n"));
    EXPECT_FALSE(offered("static S a;\nstatic S b;\nvoid g() { a = b; }\n"));
    EXPECT_FALSE(offered("struct T { S s; };\n"));
    EXPECT_FALSE(offered("void g(S* a) { memset(a, 0, sizeof(S)); }\n"));
    EXPECT_FALSE(offered("void g(S* a) { memset(a, 0, sizeof *a); }\n"));
    EXPECT_TRUE(offered("void g(S* a) { n = sizeof *a + sizeof(*a) + sizeof(a[0]); }\n"));
    EXPECT_FALSE(offered("void g(S* a, S* b) { n = sizeof *a; *a = *b; }\n"));
    EXPECT_FALSE(offered("struct T : S {};\n"));
}

TEST(MakeAtomic, a_mutable_member) {
    const auto member = [](const std::string& declaration) {
        return made("#include <atomic>\nclass S {\n    int get() const { return ++n; }\n    " + declaration +
                        "\n};\n",
                    "s.n");
    };
    EXPECT_THAT(member("mutable long n = 0;"), testing::HasSubstr("    mutable std::atomic<long> n{0};"));
    EXPECT_THAT(member("mutable volatile long n;"), testing::HasSubstr("    mutable std::atomic<long> n;"));
    EXPECT_EQ(member("volatile mutable long n;"), "");
}

TEST(MakeAtomic, a_member_of_any_element) {
    const std::string text =
        "struct bucket { pthread_mutex_t mu; int len; };\nstruct hash { struct bucket b[4]; };\n"
        "int get(struct hash *h, int key) { return h->b[key % 4].len; }\n";
    EXPECT_THAT(made_in_c(text, "h->b[key % 4].len"), testing::HasSubstr("; _Atomic int len; }"));
    EXPECT_EQ(made_in_c(text, "h->b[key % 4]"), "");
    EXPECT_EQ(made_in_c(text, "(h->b + key)->len"), "");
}

TEST(MakeAtomic, tells_what_stays_two_steps) {
    const auto apart = [](const std::string& body) {
        const std::string text = kHead + "static int best;\nvoid f(int n) {\n    " + body + "\n}\n";
        const SyntaxTree tree = SyntaxTree::parse(text, Language::cpp);
        const std::vector<const SyntaxTree*> trees = {&tree};
        const auto atomic = make_atomic(trees, 0, *shared_variable("best"));
        return atomic && atomic->stays_apart;
    };
    EXPECT_TRUE(apart("if (best < n) best = n;"));
    EXPECT_FALSE(apart("best = n;"));
    EXPECT_TRUE(apart("if (best > 3) best = 0;"));
    EXPECT_TRUE(apart("if (best > 3) best--;"));
    EXPECT_TRUE(apart("if (best > 3) return; best++;"));
    EXPECT_FALSE(apart("if (n > 3) best = 0;"));
    EXPECT_FALSE(apart("best++;"));
    EXPECT_FALSE(apart("while (best == 0) wait(n);"));
}

} // namespace
} // namespace heddle::source
