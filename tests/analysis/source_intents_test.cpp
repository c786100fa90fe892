// What a source text says belongs together.
#include "analysis/source/intents.h"
#include "analysis/source/marks.h"

#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>

namespace heddle::source {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::string_view text_at(const std::string& text, const Region& region) {
    const auto byte = [&](LineColumn place) {
        std::size_t line = 0;
        for (std::uint32_t i = 1; i < place.line; ++i) line = text.find('\n', line) + 1;
        return line + place.column - 1;
    };
    return std::string_view(text).substr(byte(region.first), byte(region.end) - byte(region.first));
}

/// "check: if (n > 0) → n--": what kind, where it reads, where it writes.
std::vector<std::string> pieces(const std::string& text, Language language = Language::cpp) {
    std::vector<std::string> result;
    for (const InferredPiece& piece : inferred_pieces(SyntaxTree::parse(text, language))) {
        if (piece.inference == Inference::update) {
            EXPECT_EQ(piece.reads, piece.writes);
            result.push_back("update: " + std::string(text_at(text, piece.writes)));
        } else {
            const bool check = piece.inference == Inference::check_then_act;
            result.push_back((check ? "check: " : "read: ") + std::string(text_at(text, piece.reads)) +
                             " → " + std::string(text_at(text, piece.writes)));
        }
    }
    return result;
}

std::vector<std::string> in_function(const std::string& body, Language language = Language::cpp) {
    return pieces("void f(Account* a, int by) {\n" + body + "\n}\n", language);
}

TEST(Intents, updates) {
    EXPECT_THAT(in_function("x += by; x++; --a->n; v[i] <<= 2;"),
                ElementsAre("update: x += by", "update: x++", "update: --a->n", "update: v[i] <<= 2"));
    EXPECT_THAT(in_function("x = x + 1; a->n = max(by, a -> n); this->m = m * 2; *p = *p + 1;"),
                ElementsAre("update: x = x + 1", "update: a->n = max(by, a -> n)", "update: this->m = m * 2",
                            "update: *p = *p + 1"));
    EXPECT_THAT(in_function("x = y + 1; a->n = b->n; x = sizeof(x);"), IsEmpty());
}

TEST(Intents, updates_of_atomics) {
    EXPECT_THAT(in_function("n.store(n.load() + 1); n = n + 1;"),
                ElementsAre("update: n.store(n.load() + 1)", "update: n = n + 1"));
    EXPECT_THAT(in_function("atomic_store(&n, atomic_load(&n) + 1); __atomic_store_n(&a->n, a->n + 1, 5);",
                            Language::c),
                ElementsAre("update: atomic_store(&n, atomic_load(&n) + 1)",
                            "update: __atomic_store_n(&a->n, a->n + 1, 5)"));
    EXPECT_THAT(in_function("n.store(by); n.fetch_add(1); atomic_store(p, *p + 1);"), IsEmpty());
}

TEST(Intents, a_check_and_the_act_on_it) {
    EXPECT_THAT(in_function("if (!p) p = make();"), ElementsAre("check: if (!p) → p = make()"));
    EXPECT_THAT(in_function("if (a->n > by) { log(); a->n -= by; } else a->n = 0;"),
                ElementsAre("check: if (a->n > by) → a->n -= by", "update: a->n -= by",
                            "check: if (a->n > by) → a->n = 0"));
    EXPECT_THAT(in_function("while (n > 0) n = next();"), ElementsAre("check: while (n > 0) → n = next()"));
    EXPECT_THAT(in_function("for (; n > 0; n = next()) use();"), ElementsAre("check: n > 0 → n = next()"));
    EXPECT_THAT(in_function("switch (state) { case 1: state = 2; break; }"),
                ElementsAre("check: switch (state) → state = 2"));
    EXPECT_THAT(in_function("p ? 0 : (p = make());"), ElementsAre("check: p → p = make()"));
    EXPECT_THAT(in_function("ready && (ready = false);"), ElementsAre("check: ready → ready = false"));
    EXPECT_THAT(in_function("if (n.load() > 0) n.store(by);"),
                ElementsAre("check: if (n.load() > 0) → n.store(by)"));
    EXPECT_THAT(in_function("if (q > 0) p = make(); if (p) q = 1;"), IsEmpty());
}

TEST(Intents, what_follows_a_way_out_depends_on_its_condition) {
    EXPECT_THAT(in_function("if (n == 0) return; n = by;"), ElementsAre("check: if (n == 0) → n = by"));
    EXPECT_THAT(in_function("{ Guard g(m); if (n == 0) return; } { Guard g(m); n = by; }"),
                ElementsAre("check: if (n == 0) → n = by"));
    EXPECT_THAT(in_function("if (n == 0) log(); n = by;"), IsEmpty());
    EXPECT_THAT(in_function("if (by) { if (n == 0) return; } n = by;"), IsEmpty());
}

TEST(Intents, a_second_check_is_the_one_that_counts) {
    EXPECT_THAT(in_function("if (!p) {\nGuard g(m);\nif (!p) p = make();\n}"),
                ElementsAre("check: if (!p) → p = make()"));
    EXPECT_EQ(inferred_pieces(
                  SyntaxTree::parse("void f() {\nif (!p) {\nif (!p) p = make();\n} }", Language::cpp))[0]
                  .reads.first.line,
              3U);
}

TEST(Intents, what_checks_and_acts_at_once_needs_no_check) {
    EXPECT_THAT(in_function("if (!busy.load() && !busy.exchange(true)) go();"), IsEmpty());
    EXPECT_THAT(in_function("if (!busy) while (!busy.compare_exchange_weak(was, true)) {}"), IsEmpty());
    EXPECT_THAT(in_function("if (n > 0) n.compare_exchange_strong(was, by);"), IsEmpty());
    EXPECT_THAT(in_function("if (n > 0) return n.fetch_sub(1);"),
                ElementsAre("check: if (n > 0) → n.fetch_sub(1)"));
}

TEST(Intents, values_go_through_locals) {
    EXPECT_THAT(in_function("int old = x; x = old + 1;"), ElementsAre("read: old = x → x = old + 1"));
    EXPECT_THAT(in_function("int old; old = n.load(); if (old > 0) n.store(0);"),
                ElementsAre("read: old = n.load() → n.store(0)"));
    EXPECT_THAT(in_function("int old = x; old = by; x = old;"), IsEmpty());
    // What is looked at again in between is what counts.
    EXPECT_THAT(in_function("T* s = p; if (s) return; Guard g(m); s = p; if (!s) { s = make(); p = s; }"),
                ElementsAre("read: s = p → p = s"));
}

TEST(Intents, what_belongs_to_the_call_is_nobody_elses) {
    EXPECT_THAT(in_function("int i = 0; i++; if (by > 0) by = 0; a = a->next;"), IsEmpty());
    EXPECT_THAT(in_function("static int calls; calls++;"), ElementsAre("update: calls++"));
    EXPECT_THAT(pieces("void f(int& n) { n++; }"), ElementsAre("update: n++"));
}

TEST(Intents, lambdas_are_functions_of_their_own) {
    EXPECT_THAT(in_function("if (x > 0) run([&] { x = 1; });"), IsEmpty());
    EXPECT_THAT(in_function("run([&] { x++; if (y) y = 0; });"),
                ElementsAre("update: x++", "check: if (y) → y = 0"));
}

TEST(Intents, macros_and_broken_text_say_nothing) {
    EXPECT_THAT(in_function("INC(x); if (EMPTY(q)) q->n = 1;"), IsEmpty());
    EXPECT_THAT(in_function("if (x > ) x = 1;"), IsEmpty());
    EXPECT_THAT(pieces("x++ } { ( if"), IsEmpty());
}

std::vector<std::string> marked(const std::string& text) {
    std::vector<std::string> result;
    for (const MarkedPiece& piece : marked_pieces(SyntaxTree::parse(text, Language::cpp)))
        result.emplace_back(text_at(text, piece.whole));
    return result;
}

TEST(Marks, functions) {
    EXPECT_THAT(marked("// heddle: atomic\nvoid f() { a(); }\nvoid g() { b(); }\n"), ElementsAre("{ a(); }"));
    EXPECT_THAT(marked("/* heddle: atomic */\n// and a word\ntemplate<class T>\nvoid f() { a(); }\n"),
                ElementsAre("{ a(); }"));
    EXPECT_THAT(marked("struct S {\n  // heddle: atomic: both or none\n  void f() { a(); }\n};\n"),
                ElementsAre("{ a(); }"));
    EXPECT_THAT(marked("[[heddle::atomic]] void f() { a(); }\n"), ElementsAre("{ a(); }"));
    EXPECT_THAT(marked("__attribute__((annotate(\"heddle::atomic\"))) void f() { a(); }\n"),
                ElementsAre("{ a(); }"));
    EXPECT_THAT(marked("// heddle: atomically\nvoid f() { a(); }\n// not heddle: atomic\nvoid g() {}"),
                IsEmpty());
}

TEST(Marks, blocks_and_statements) {
    EXPECT_THAT(marked("void f() {\n  a();\n  // heddle: atomic\n  { b(); c(); }\n}\n"),
                ElementsAre("{ b(); c(); }"));
    EXPECT_THAT(marked("void f() {\n  while (x) { // heddle: atomic\n    b(); }\n}\n"),
                ElementsAre("{ // heddle: atomic\n    b(); }"));
    EXPECT_THAT(marked("void f() {\n  // heddle: atomic\n  if (a()) b();\n  c();\n}\n"),
                ElementsAre("if (a()) b();"));
}

TEST(Marks, statements_come_in_order_and_loops_are_one) {
    const std::string text = "void f() { // heddle: atomic\n  a();\n  if (b()) c(); else d();\n"
                             "  for (;;) {\n    e();\n  }\n  run([] { g(); }); h();\n}\n";
    const std::vector<MarkedPiece> pieces = marked_pieces(SyntaxTree::parse(text, Language::cpp));
    ASSERT_EQ(pieces.size(), 1U);
    const auto at = [&](std::string_view what) {
        const auto byte = static_cast<std::uint32_t>(text.find(what));
        return pieces[0].statement_at(LineColumns(text).at(byte));
    };
    EXPECT_LT(at("a()"), at("b()"));
    EXPECT_LT(at("b()"), at("c()"));
    EXPECT_LT(at("c()"), at("d()"));
    EXPECT_LT(at("d()"), at("e()"));
    EXPECT_TRUE(pieces[0].statements[*at("e()")].in_loop);
    EXPECT_FALSE(pieces[0].statements[*at("d()")].in_loop);
    EXPECT_FALSE(pieces[0].statements[*at("h()")].in_loop);
    EXPECT_EQ(at("g()"), std::nullopt); // runs when somebody calls it
    EXPECT_EQ(at("void"), std::nullopt);
}

} // namespace
} // namespace heddle::source
