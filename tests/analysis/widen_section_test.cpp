// Critical sections that become one. In the sources the first access is between [[ and ]], the lock as it is
// taken for it between << and >>, and for the second between {{ and }}.
#include "analysis/source/widen_section.h"
#include "marked_text.h"

#include <string>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

/// The text as it becomes; empty when there is no fix.
std::string widened(const std::string& source, Language language = Language::cpp) {
    test::MarkedText marked(source);
    const TwoSections sections{.first_access = *marked.range("[[", "]]"),
                               .first_lock = marked.range("<<", ">>"),
                               .second_lock = *marked.range("{{", "}}")};
    const SyntaxTree tree = SyntaxTree::parse(marked.text(), language);
    const auto edit = widen_section(tree, sections);
    return edit ? rewritten(marked.text(), edit->edits) : "";
}

TEST(WidenSection, of_guards_moves_one_up) {
    EXPECT_EQ(widened("void f() {\n"
                      "    long seen;\n"
                      "    {\n"
                      "        std::lock_guard<std::mutex> lock(<<mu>>);\n"
                      "        seen = [[total]];\n"
                      "    }\n"
                      "    seen *= 2;\n"
                      "    {\n"
                      "        std::lock_guard<std::mutex> lock({{mu}});\n"
                      "        total = seen;\n"
                      "    }\n"
                      "}\n"),
              "void f() {\n"
              "    long seen;\n"
              "    std::lock_guard<std::mutex> lock(mu);\n"
              "    {\n"
              "        seen = total;\n"
              "    }\n"
              "    seen *= 2;\n"
              "    {\n"
              "        total = seen;\n"
              "    }\n"
              "}\n");
}

TEST(WidenSection, begins_before_a_check) {
    EXPECT_EQ(widened("void f() {\n    if ([[n]] == 0) {\n        std::scoped_lock l({{mu}}); // now\n       "
                      " n = 1;\n    }\n}\n"),
              "void f() {\n    std::scoped_lock l(mu);\n    if (n == 0) {\n        n = 1;\n    }\n}\n");
}

TEST(WidenSection, not_before_it_is_sure_that_there_is_an_object) {
    const auto checked = [](const std::string& check) {
        return widened("void f(Seat* s) {\n    if (" + check +
                       ") {\n        std::scoped_lock l({{s->mu}});\n        s->free = false;\n    }\n}\n");
    };
    EXPECT_THAT(checked("[[s->free]]"),
                testing::HasSubstr("    std::scoped_lock l(s->mu);\n    if (s->free)"));
    EXPECT_EQ(checked("s && [[s->free]]"), "");
}

TEST(WidenSection, not_of_guards_that_are_spoken_of) {
    EXPECT_EQ(widened("void f() {\n    if ([[n]] == 0) {\n        std::unique_lock l({{mu}});\n        "
                      "c.wait(l);\n    }\n}\n"),
              "");
}

TEST(WidenSection, not_where_a_jump_would_pass_by_the_guard) {
    EXPECT_EQ(widened("int f() {\n    if (!open) goto out;\n    if ([[n]] == 0) {\n        std::scoped_lock "
                      "l({{mu}});\n        n = 1;\n    }\nout:\n    return 0;\n}\n"),
              "");
}

TEST(WidenSection, not_over_what_waits_or_takes_the_lock_itself) {
    const auto with = [](std::string_view between) {
        return widened(
            "void f(void) {\n    pthread_mutex_lock(&<<mu>>);\n    long seen = [[total]];\n    "
            "pthread_mutex_unlock(&mu);\n    " +
                std::string(between) +
                "\n    pthread_mutex_lock(&{{mu}});\n    total = seen;\n    pthread_mutex_unlock(&mu);\n}\n"
                "static void add(void) {\n    pthread_mutex_lock(&mu);\n    pthread_mutex_unlock(&mu);\n}\n",
            Language::c);
    };
    EXPECT_NE(with("seen *= 2;"), "");
    EXPECT_EQ(with("while (!ready) sched_yield();"), "");
    EXPECT_EQ(with("while (__atomic_load_n(&ready, 2) == 0) {}"), "");
    EXPECT_EQ(with("pthread_join(other, 0);"), "");
    EXPECT_EQ(with("if (seen > 9) add();"), "");
}

TEST(WidenSection, not_where_the_lock_is_another_one_or_not_yet_there) {
    EXPECT_EQ(widened("void f(A* a) {\n    if ([[a->n]] == 0) {\n        a = a->next;\n        "
                      "std::scoped_lock l({{a->mu}});\n    }\n}\n"),
              "");
    EXPECT_EQ(widened("void f() {\n    if ([[n]] == 0) {\n        A* a = g();\n        std::scoped_lock "
                      "l({{a->mu}});\n    }\n}\n"),
              "");
    EXPECT_EQ(
        widened(
            "void f() {\n    if ([[n]] == 0) {\n        std::scoped_lock l({{mutex_of(n)}});\n    }\n}\n"),
        "");
    EXPECT_EQ(widened("void f() {\n    {\n        std::scoped_lock l(<<a>>);\n        g([[n]]);\n    }\n    "
                      "{\n        std::scoped_lock l({{b}});\n        n = 1;\n    }\n}\n"),
              "");
}

const std::string kTwice = "void f(void) {\n"
                           "    pthread_mutex_lock(&<<mu>>);\n"
                           "    long seen = [[total]];\n"
                           "    pthread_mutex_unlock(&mu); // for now\n"
                           "    MIDDLE\n"
                           "    pthread_mutex_lock(&{{mu}});\n"
                           "    total = seen;\n"
                           "    pthread_mutex_unlock(&mu);\n"
                           "}\n";

std::string twice(const std::string& middle) {
    std::string text = kTwice;
    text.replace(text.find("MIDDLE"), 6, middle);
    return widened(text, Language::c);
}

TEST(WidenSection, of_calls_drops_those_in_between) {
    EXPECT_EQ(twice("seen *= 2;"), "void f(void) {\n"
                                   "    pthread_mutex_lock(&mu);\n"
                                   "    long seen = total;\n"
                                   "    seen *= 2;\n"
                                   "    total = seen;\n"
                                   "    pthread_mutex_unlock(&mu);\n"
                                   "}\n");
    EXPECT_EQ(
        widened("void f() {\n    std::unique_lock<std::mutex> lk(<<mu>>);\n    int x = [[n]];\n    "
                "lk.unlock();\n    x++;\n"
                "    {{lk}}.lock();\n    n = x;\n}\n"),
        "void f() {\n    std::unique_lock<std::mutex> lk(mu);\n    int x = n;\n    x++;\n    n = x;\n}\n");
}

TEST(WidenSection, not_of_calls_with_a_way_out_in_between) {
    EXPECT_EQ(twice("if (seen < 0) return;"), "");
    EXPECT_EQ(twice("if (seen < 0) exit(1);"), "");
    EXPECT_EQ(twice("again: seen *= 2;"), "");
}

} // namespace
} // namespace heddle::source
