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
std::string fixed(const std::string& source, Language language = Language::cpp, bool own_guard = false) {
    const test::MarkedText marked(source);
    const SyntaxTree tree = SyntaxTree::parse(marked.text(), language);
    const ByteRange access = *marked.range("[[", "]]");
    const LockHabit habit{.tree = tree,
                          .lock = *marked.range("{{", "}}"),
                          .access = marked.range("<<", ">>"),
                          .own_guard = own_guard};
    const auto held = hold_lock(tree, access, habit);
    if (!held) return {};
    const std::string text = rewritten(marked.text(), held->edits);
    std::size_t first = marked.text().size();
    std::size_t end = access.end;
    for (const Replacement& edit : held->edits) {
        first = std::min<std::size_t>(first, edit.range.first);
        end = std::max<std::size_t>(end, edit.range.end);
    }
    const std::size_t behind = marked.text().size() - end;
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
    EXPECT_EQ(fixed(account("void total(const std::vector<Account>& all) {\n    for (auto& a : all) n += "
                            "[[a.balance]];\n}\n")),
              "");
    EXPECT_EQ(fixed(account("struct Bank {\n    Account own;\n    long get() const {\n        return "
                            "[[own.balance]];\n    }\n};\n")),
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
    EXPECT_EQ(fixed(member("std::mutex", "const noexcept(true) ")), "");
    EXPECT_EQ(fixed("struct Other { mutable std::mutex mu; };\n" + member("std::mutex", "const ")), "")
        << "another class's is";
}

TEST(HoldLock, of_the_object_that_has_what_is_accessed_in_it) {
    const auto world = [](std::string_view use, std::string_view unit = "std::unique_ptr<Unit>") {
        return fixed("struct Unit { int health; Unit* next; };\nclass World {\n    std::mutex mu;\n    void "
                     "hit(int i) {\n"
                     "        std::lock_guard<std::mutex> lock({{mu}});\n        <<units[i]->health>> -= 1;\n"
                     "    }\n    void heal(int i) {\n        " +
                     std::string(use) + "\n    }\n    std::vector<" + std::string(unit) +
                     "> units;\n    std::vector<Unit> others;\n    Unit* last;\n};\n");
    };
    const std::string guard = "std::lock_guard<std::mutex> lock(mu);\n        ";
    EXPECT_EQ(world("[[units.at(i)->health]] += 1;"), guard + "units.at(i)->health += 1;");
    EXPECT_EQ(world("this->units[0]->next->health = 1, [[this->units[0]->health]] += 1;"),
              guard + "this->units[0]->next->health = 1, this->units[0]->health += 1;");
    EXPECT_EQ(world("auto& unit = *units[i];\n        [[unit.health]] += 1;"), guard + "unit.health += 1;");
    EXPECT_EQ(world("for (auto& unit : units) {\n        [[unit->health]] += 1;\n        }"),
              guard + "unit->health += 1;");
    EXPECT_EQ(world("[[others[i].health]] += 1;"), "") << "something else";
    EXPECT_EQ(world("Unit* unit = last;\n        [[unit->health]] += 1;"), "");
    EXPECT_EQ(world("Unit* units = last;\n        [[units->health]] += 1;"), "") << "another of that name";
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

TEST(HoldLock, of_the_object_that_the_access_leads_to_through_others) {
    const std::string bank =
        "struct Fees { int count; };\nstruct Bank { std::mutex mu; Fees fees; };\nBank bank;\n"
        "void pay() {\n    std::scoped_lock lock({{bank.mu}});\n    <<bank.fees.count>> += 1;\n}\n";
    EXPECT_EQ(fixed(bank + "void clear(Bank* b) {\n    [[b->fees.count]] = 0;\n}\n"),
              "std::scoped_lock lock(b->mu);\n    b->fees.count = 0;");
    EXPECT_EQ(fixed(bank + "void clear(Fees* fees) {\n    [[fees->count]] = 0;\n}\n"),
              "std::scoped_lock lock(bank.mu);\n    fees->count = 0;")
        << "whose fees these are is not seen; the run tells whether it is that lock";
}

TEST(HoldLock, not_of_what_the_object_is_only_a_part_of) {
    const std::string cache = R"(
struct Entry { int hits; };
struct Cache { std::mutex mutex; std::map<int, Entry> entries; int puts; };
void put(Cache& cache, int key, Entry value) {
    std::lock_guard<std::mutex> lock({{cache.mutex}});
    <<cache.entries>>[key] = value;
}
)";
    EXPECT_EQ(fixed(cache + "void touch(Entry& entry) {\n    [[entry.hits]] += 1;\n}\n"), "");
    EXPECT_EQ(fixed(cache + "void count(Cache& all) {\n    [[all.puts]] += 1;\n}\n"),
              "std::lock_guard<std::mutex> lock(all.mutex);\n    all.puts += 1;");
    const std::string table = R"(
struct entry { int hits; };
struct table { pthread_mutex_t mu; struct entry* first; };
void put(struct table* t, struct entry* e) {
    pthread_mutex_lock(&{{t->mu}});
    <<t->first>> = e;
    pthread_mutex_unlock(&t->mu);
}
void touch(struct entry* e) {
    [[e->hits]] += 1;
}
)";
    EXPECT_EQ(fixed(table, Language::c), "");
}

TEST(HoldLock, whose_name_means_the_same_here) {
    const std::string members =
        "struct Account {\n    std::mutex mu;\n    long balance;\n    void deposit() {\n        "
        "std::lock_guard<std::mutex> lock({{mu}});\n        <<balance>> += 1;\n    }\n} all[2];\n";
    EXPECT_EQ(fixed("std::mutex mu;\n" + members + "void bonus(Account& a) {\n    [[a.balance]] += 5;\n}\n"),
              "std::lock_guard<std::mutex> lock(a.mu);\n    a.balance += 5;")
        << "not the other one of that name";
    EXPECT_EQ(fixed(members + "void bonus() {\n    [[balance]] += 5;\n}\n"), "")
        << "a member of something, not a variable";
    const std::string global =
        "std::mutex mu;\nlong total;\nvoid add() {\n    std::scoped_lock lock({{mu}});\n    "
        "<<total>> += 1;\n}\n";
    const std::string wanted = "std::scoped_lock lock(::mu);\n        total += 5;";
    EXPECT_EQ(
        fixed(global +
              "struct Log {\n    std::mutex mu;\n    void note() {\n        [[total]] += 5;\n    }\n};\n"),
        wanted);
    EXPECT_EQ(fixed(global + "struct Log : Base {\n    void note() {\n        [[total]] += 5;\n    }\n};\n"),
              wanted)
        << "a class that nobody shows may have one";
    EXPECT_EQ(
        fixed(global + "struct Log : std::thread {\n    void note() {\n        [[total]] += 5;\n    }\n};\n"),
        "std::scoped_lock lock(mu);\n        total += 5;");
    EXPECT_EQ(fixed(global + "void note(std::mutex& mu) {\n    {\n        [[total]] += 5;\n    }\n}\n"),
              wanted);
}

TEST(HoldLock, with_the_namespace_that_it_is_in) {
    const std::string bank =
        "namespace bank {\nstd::mutex mu;\nlong total;\nvoid add() {\n    std::scoped_lock "
        "lock({{mu}});\n    <<total>> += 1;\n}\n}\n";
    const std::string use = "void bonus() {\n    [[bank::total]] += 5;\n}\n";
    EXPECT_EQ(fixed(bank + use), "std::scoped_lock lock(bank::mu);\n    bank::total += 5;");
    EXPECT_EQ(fixed(bank + "std::mutex mu;\n" + use),
              "std::scoped_lock lock(bank::mu);\n    bank::total += 5;");
    EXPECT_EQ(fixed(bank + "void bank::bonus() {\n    [[total]] += 5;\n}\n"),
              "std::scoped_lock lock(mu);\n    total += 5;");
}

TEST(HoldLock, not_of_a_class_that_keeps_it_to_itself) {
    const std::string account =
        "class Account {\n    std::mutex mu;\npublic:\n    long balance;\n    void deposit() {\n"
        "        std::scoped_lock lock({{mu}});\n        <<balance>> += 1;\n    }\n";
    EXPECT_EQ(fixed(account + "};\nvoid bonus(Account* a) {\n    [[a->balance]] += 5;\n}\n"), "");
    EXPECT_EQ(fixed(account + "    void take(Account* a) {\n        [[a->balance]] -= 5;\n    }\n};\n"),
              "std::scoped_lock lock(a->mu);\n        a->balance -= 5;");
}

TEST(HoldLock, of_a_base_class_that_lets_it_be_named) {
    const auto derived = [](std::string_view access) {
        return "class Base {\n" + std::string(access) +
               "    std::mutex mu;\n    int n;\npublic:\n    void up() {\n        "
               "std::scoped_lock lock({{mu}});\n        <<n>> += 1;\n    }\n};\nclass Derived : public Base "
               "{\n    void "
               "down() {\n        [[n]] -= 1;\n    }\n};\n";
    };
    EXPECT_EQ(fixed(derived("protected:\n")), "std::scoped_lock lock(mu);\n        n -= 1;");
    EXPECT_EQ(fixed(derived("")), "");
}

TEST(HoldLock, of_a_variable_of_the_function_that_lambdas_share) {
    const auto lambdas = [](std::string_view captures) {
        return "void f() {\n    std::mutex mu;\n    int total = 0;\n    std::thread a([&] {\n        "
               "std::lock_guard<std::mutex> lock({{mu}});\n        <<total>> += 1;\n    });\n    std::thread "
               "b([" +
               std::string(captures) + "] {\n        [[total]] += 5;\n    });\n}\n";
    };
    const std::string wanted = "std::lock_guard<std::mutex> lock(mu);\n        total += 5;";
    EXPECT_EQ(fixed(lambdas("&")), wanted);
    EXPECT_EQ(fixed(lambdas("&total, &mu")), wanted);
    EXPECT_EQ(fixed(lambdas("&total")), "");
    EXPECT_EQ(fixed(lambdas("=, &total")), "") << "a copy is another lock, and cannot be made";
}

TEST(HoldLock, of_the_object_that_the_access_has_when_it_comes_to_it) {
    EXPECT_EQ(fixed(account(
                  "void f(Account* a) {\n    while (more()) {\n        [[a++->balance]] = 0;\n    }\n}\n")),
              "");
    EXPECT_EQ(fixed(account("void f() {\n    [[next()->balance]] = 0;\n}\n")), "")
        << "the next one would be another";
    EXPECT_EQ(fixed(account("void f(Account* a) {\n    if ((a = find()) && [[a->balance]] > 0) g();\n}\n")),
              "");
    EXPECT_EQ(fixed(account("void f() {\n    if (Account* a = find(); [[a->balance]] > 0) g();\n}\n")), "");
    EXPECT_EQ(
        fixed(account("void f() {\n    if (Account* a = find()) {\n        [[a->balance]] = 0;\n    }\n}\n")),
        "std::lock_guard<std::mutex> lock(a->mu);\n        a->balance = 0;");
}

TEST(HoldLock, not_before_it_is_sure_that_there_is_an_object) {
    const auto offered = [](const std::string& statement,
                            const std::string& parameters = "Account* a, int n") {
        return fixed(account("int look(" + parameters + ") {\n    " + statement + "\n    return 0;\n}\n"));
    };
    for (const char* statement :
         {"return a ? [[a->balance]] : 0;", "if (a) [[a->balance]] = 0, n++;",
          "if (a != nullptr && [[a->balance]] > 0) n++;", "n = !a || [[a->balance]] > 0;",
          "for (; a && n > 0; n--) f([[a->balance]]);",
          "if (n) { f(0); } else if ([[a->balance]] > 0) { f(n); }"}) {
        const std::string result = offered(statement);
        EXPECT_TRUE(result.empty() || result.starts_with(" {\n")) << statement << " becomes\n" << result;
    }
    for (const char* statement :
         {"return [[a->balance]] ? n : 0;", "if (a->balance > 0 && [[a->balance]] < n) n++;",
          "n = f(a->balance) && [[a->balance]] > 0;", "if ([[a->balance]] > 0) n++;"})
        EXPECT_TRUE(offered(statement).starts_with("std::lock_guard<std::mutex> lock(a->mu);")) << statement;
    EXPECT_EQ(offered("if (i < n && [[all[i].balance]] > 0) n++;", "Account* all, int i, int n"), "");
    EXPECT_TRUE(
        offered("if (n > 0 && [[a.balance]] > 0) n++;", "Account& a, int n").starts_with("std::lock_guard"));
}

TEST(HoldLock, not_while_the_thread_waits_for_another) {
    const std::string head =
        "std::mutex mu;\nbool ready;\nint total;\nvoid set() {\n    std::scoped_lock lock({{mu}});\n    "
        "<<ready>> = true;\n}\n";
    const auto uses = [&](std::string_view body) {
        return fixed(head + "void f(int n) {\n" + std::string(body) + "}\n");
    };
    EXPECT_EQ(uses("    while (![[ready]]) {\n        yield();\n    }\n"), "") << "nobody could set it";
    EXPECT_EQ(uses("    do yield();\n    while (![[ready]]);\n"), "");
    EXPECT_EQ(uses("    for (;;) {\n        if (n) break;\n    }\n    g([[ready]]);\n"),
              "std::scoped_lock lock(mu);\n    g(ready);")
        << "it has waited before";
    const std::string alone = "{\n        std::scoped_lock lock(mu);\n        g(ready);\n    }";
    EXPECT_EQ(uses("    g([[ready]]);\n    while (flag.load() == 0) {\n    }\n"), alone);
    EXPECT_EQ(uses("    g([[ready]]);\n    worker.join();\n"), alone);
    EXPECT_EQ(fixed(head +
                    "void settle() {\n    while (!done) yield();\n}\nvoid f() {\n    g([[ready]]);\n    "
                    "settle();\n}\n"),
              alone)
        << "what is called waits";
    EXPECT_EQ(fixed(head + "struct Jobs {\n    std::queue<int> queue;\n    void pop() { added.wait(lock); }\n"
                           "    int next() { g([[ready]]); queue.pop(); }\n};\n"),
              "std::scoped_lock lock(mu); g(ready); queue.pop(); }")
        << "the queue's, not the class's own";
    EXPECT_EQ(uses("    const bool is = [[ready]];\n    worker.join();\n"), "")
        << "it would not be known outside";
    EXPECT_EQ(uses("    while (is_set([[ready]])) yield();\n"), "");
    EXPECT_EQ(uses("    while (!stopped) total += [[ready]];\n"),
              " {\n        std::scoped_lock lock(mu);\n        total += ready;\n    }");
    EXPECT_EQ(uses("    for (int i = 0; i < [[ready]]; ++i) g(i);\n"),
              "std::scoped_lock lock(mu);\n    for (int i = 0; i < ready; ++i) g(i);");
    EXPECT_EQ(uses("    do {\n        total = 1;\n    } while (0);\n    g([[ready]]);\n"),
              "std::scoped_lock lock(mu);\n    g(ready);");
}

TEST(HoldLock, only_until_it_may_be_taken_again) {
    const std::string head =
        "std::mutex mu;\nint total;\nvoid clear() {\n    std::scoped_lock lock({{mu}});\n    <<total>> = "
        "0;\n}\n"
        "void reset() {\n    clear();\n}\nvoid note() {\n    std::scoped_lock lock(log);\n}\n";
    const auto uses = [&](std::string_view body) {
        return fixed(head + "void f(int n) {\n    [[total]] += n;\n    " + std::string(body) + "\n}\n");
    };
    for (const char* again :
         {"if (n > 9) clear();", "if (n > 9) reset();", "if (n > 9 && !mu.try_lock()) g();",
          "if (n > 9) {\n        std::unique_lock l{mu};\n    }"})
        EXPECT_EQ(uses(again), "{\n        std::scoped_lock lock(mu);\n        total += n;\n    }") << again;
    EXPECT_EQ(fixed(head + "void f(int n) { [[total]] += n; if (n > 9) clear(); }\n"),
              "{ std::scoped_lock lock(mu); total += n; } if (n > 9) clear(); }");
    EXPECT_EQ(
        fixed(head +
              "int next() {\n    return 1;\n    clear();\n}\nvoid f() {\n    [[total]] += next();\n}\n"),
        "");
    EXPECT_EQ(uses("note();"), "std::scoped_lock lock(mu);\n    total += n;");
    EXPECT_EQ(
        fixed(account(
            "void move(Account* from, Account* to) {\n    [[from->balance]] -= 1;\n    deposit(to);\n}\n")),
        "std::lock_guard<std::mutex> lock(from->mu);\n    from->balance -= 1;")
        << "another object's; the run tells whether it is";
    EXPECT_EQ(fixed(account("void move(Account* from, int n) {\n    [[from->balance]] -= n;\n    if (n > 9) "
                            "deposit(from);\n}\n")),
              "{\n        std::lock_guard<std::mutex> lock(from->mu);\n        from->balance -= n;\n    }")
        << "that of the same object, on a way that the run need not have taken";
    EXPECT_EQ(
        fixed(account(
            "void move(Account* from, Account* to) {\n    [[from->balance]] -= 1;\n    to->mu.lock();\n}\n")),
        "std::lock_guard<std::mutex> lock_(from->mu);\n    from->balance -= 1;");
}

TEST(HoldLock, in_brackets_where_there_are_none) {
    EXPECT_EQ(fixed(account("void f() {\n    for (auto& [key, a] : all) [[a.balance]] = 0;\n}\n")),
              " {\n        std::lock_guard<std::mutex> lock(a.mu);\n        a.balance = 0;\n    }");
    EXPECT_EQ(
        fixed(account("void f() {\n    for (int i = 0; i < 3; ++i)\n        [[all[i].balance]] = 0;\n}\n")),
        " {\n        std::lock_guard<std::mutex> lock(all[i].mu);\n        all[i].balance = 0;\n    }");
    EXPECT_EQ(fixed(account("void f() {\n    for (auto& a : all) // each\n        [[a.balance]] = 0;\n}\n")),
              "")
        << "a comment has no brackets";
    EXPECT_EQ(fixed(account("void f() {\n  for (auto& a : all)\n    [[a.balance]] = 0;\n}\n")),
              " {\n    std::lock_guard<std::mutex> lock(a.mu);\n    a.balance = 0;\n  }")
        << "as far in as the rest of the text";
    EXPECT_EQ(
        fixed(account("void f() {\r\n\tfor (auto& a : all)\r\n\t\t[[a.balance]] = 0;\r\n}\r\n")).find("    "),
        std::string::npos);
    const std::string habit =
        "pthread_mutex_t mu;\nlong total;\nvoid add(void) {\n    pthread_mutex_lock(&{{mu}});\n    "
        "<<total>> += 2;\n    pthread_mutex_unlock(&mu);\n}\n";
    EXPECT_EQ(
        fixed(habit + "void f(int n) {\n    if (n > 0)\n        [[total]] -= n;\n    else\n        g();\n}\n",
              Language::c),
        " {\n        pthread_mutex_lock(&mu);\n        total -= n;\n        pthread_mutex_unlock(&mu);\n    "
        "}");
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

TEST(HoldLock, by_calls_whose_result_is_looked_at_elsewhere) {
    EXPECT_EQ(fixed("struct q { pthread_mutex_t mu; int n; };\nint add(struct q* q) {\n    if "
                    "(pthread_mutex_lock(&{{q->mu}}) != 0) "
                    "return -1;\n    <<q->n>> += 2;\n    pthread_mutex_unlock(&q->mu);\n    return 0;\n}\n"
                    "void clear(struct q* self) {\n    [[self->n]] = 0;\n}\n",
                    Language::c),
              "pthread_mutex_lock(&self->mu);\n    self->n = 0;\n    pthread_mutex_unlock(&self->mu);");
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
    EXPECT_EQ(fixed(source("SpinLock", "void bonus() {\n    [[total]] += next();\n}\n")), "")
        << "what is called may throw";
    EXPECT_EQ(fixed(source("std::shared_mutex", "int get() {\n    return [[total]];\n}\n")),
              "#include <mutex>\n\nstatic std::shared_mutex mu;\nstatic int total;\nvoid add() {\n    "
              "mu.lock();\n    "
              "total += 2;\n    mu.unlock();\n}\nint get() {\n    const std::lock_guard<std::shared_mutex> "
              "lock(mu);\n    return total;");
}

TEST(HoldLock, not_with_a_guard_of_a_type_that_is_known_elsewhere_only) {
    const std::string account =
        "struct Account {\n    std::mutex mu;\n    long balance;\n    void deposit() {\n        "
        "std::lock_guard<decltype(mu)> lock({{mu}});\n        <<balance>> += 1;\n    }\n};\n";
    EXPECT_EQ(fixed(account + "void bonus(Account* a) {\n    [[a->balance]] += 5;\n}\n"),
              "const std::lock_guard<std::mutex> lock(a->mu);\n    a->balance += 5;");
}

TEST(HoldLock, by_a_guard_of_the_programs_own) {
    const auto logger = [](const std::string& before, const std::string& write, const std::string& behind) {
        return fixed(before + "class Logger {\npublic:\n    void write() { " + write +
                         " <<lines_>>++; }\n    int lines() { return [[lines_]]; }\n" +
                         "    Mutex mu_;\n    int lines_;\n};\n" + behind,
                     Language::cpp, true);
    };
    const std::string own = "class Mutex {};\nclass MutexLock { public: MutexLock(Mutex* mu); };\n";
    const std::string write = "MutexLock l(&{{mu_}});";
    const std::string read = "int lines() { MutexLock l(&mu_); return lines_; }";
    EXPECT_EQ("int lines() { " + logger(own, write, ""), read);
    EXPECT_EQ("int lines() { " + logger("#include \"mutex.h\"\n", write, ""), read);
    EXPECT_EQ("int lines() { " + logger("using MutexLock = std::lock_guard<Mutex>;\n", write, ""), read);
    EXPECT_EQ(logger("", "Guard<Mutex> guard({{mu_}});", ""), "Guard<Mutex> guard(mu_); return lines_; }");
    EXPECT_EQ(logger("", write, own), "") << "it is not known yet";
    EXPECT_EQ(logger("struct Other {\n" + own + "};\n", write, ""), "") << "nor known by that name";
    EXPECT_EQ(logger("", "using base::MutexLock; " + write, ""), "");
    EXPECT_EQ(logger(own, "MutexLock l(&{{mu_}}, 5);", ""), "");
}

TEST(HoldLock, by_a_guard_whose_namespace_sees_it) {
    const auto fixed_in = [](const std::string& behind) {
        return fixed("Mutex mu;\nint total;\nnamespace bank {\nvoid add() {\n    MutexLock l(&{{mu}});\n"
                     "    <<total>> = 1;\n}\n" +
                         behind,
                     Language::cpp, true);
    };
    EXPECT_EQ(fixed_in("void clear() {\n    [[total]] = 0;\n}\n}\n"), "MutexLock l(&mu);\n    total = 0;");
    EXPECT_EQ(fixed_in("}\nvoid clear() {\n    [[total]] = 0;\n}\n"), "");
}

TEST(HoldLock, not_where_a_guard_of_the_programs_own_takes_it) {
    EXPECT_EQ(fixed(account("void bonus(Account* a) {\n    if ([[a->balance]] > 5) {\n        "
                            "MutexLock inner(&a->mu);\n        f();\n    }\n}\n")),
              "");
    EXPECT_EQ(fixed(account("void bonus(Account* a) {\n    if ([[a->balance]] > 5) a->mu.Lock();\n}\n")), "");
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
    const LockHabit how{.tree = other, .lock = at(habit, "mu"), .access = at(habit, "n"), .headers = headers};
    const ByteRange access{at(here, "n;").first, at(here, "n;").first + 1};
    const auto held = hold_lock(tree, access, how, headers);
    ASSERT_TRUE(held);
    EXPECT_EQ(rewritten(here, held->edits), "#include \"pool.h\"\nint Pool::size() const {\n    "
                                            "std::lock_guard<std::mutex> lock(mu);\n    return n;\n}\n");
    EXPECT_FALSE(hold_lock(tree, access, how)) << "without the header nobody knows that it is mutable";
}

TEST(HoldLock, not_by_calls_around_a_macro_that_may_leave) {
    const auto held = [](const std::string& macros, const std::string& use) {
        return fixed(
            macros +
                "struct acct { pthread_mutex_t mu; int n; };\nvoid add(struct acct *a) {\n    "
                "pthread_mutex_lock(&{{a->mu}});\n    <<a->n>>++;\n    pthread_mutex_unlock(&a->mu);\n}\n"
                "int use(struct acct *a) {\n    " +
                use + "\n    return 0;\n}\n",
            Language::c);
    };
    const std::string set = "#define SET(x) (x) = 1\n";
    EXPECT_THAT(held(set, "SET([[a->n]]);"),
                testing::HasSubstr("SET(a->n);\n    pthread_mutex_unlock(&a->mu);"));
    EXPECT_EQ(held("#define CHECK(x) if (!(x)) return -1\n", "CHECK([[a->n]]);"), "");
    EXPECT_EQ(held("#define FAIL() return -1\n#define CHECK(x) if (!(x)) FAIL()\n", "CHECK([[a->n]]);"), "");
    EXPECT_EQ(held("", "CHECK([[a->n]]);"), "") << "nobody knows what it does";
    EXPECT_NE(held("", "print([[a->n]], SEEK_SET);"), "");
}

TEST(HoldLock, by_the_calls_for_its_type_where_a_macro_takes_it) {
    EXPECT_THAT(
        fixed("#define LOCK(m) if (pthread_mutex_lock(m)) return\nstatic pthread_mutex_t mu;\nstatic int n;\n"
              "void add(void) {\n    LOCK(&{{mu}});\n    <<n>>++;\n    pthread_mutex_unlock(&mu);\n}\n"
              "void clear(void) {\n    [[n]] = 0;\n}\n",
              Language::c),
        testing::HasSubstr("pthread_mutex_lock(&mu);\n    n = 0;\n    pthread_mutex_unlock(&mu);"));
}

TEST(HoldLock, in_a_header_of_what_includes_it) {
    const std::string here =
        "class Pool {\npublic:\n    void add();\n    int size() const { return n; }\nprivate:\n"
        "    mutable std::mutex mu;\n    int n;\n};\n";
    const std::string habit = "#include \"pool.h\"\nvoid Pool::add() {\n    std::lock_guard<std::mutex> "
                              "lock(mu);\n    n += 1;\n}\n";
    const SyntaxTree tree = SyntaxTree::parse(here, Language::cpp);
    const SyntaxTree other = SyntaxTree::parse(habit, Language::cpp);
    const auto lock = static_cast<std::uint32_t>(habit.find("mu)"));
    const auto guarded = static_cast<std::uint32_t>(habit.find("n += 1"));
    const LockHabit how{.tree = other,
                        .lock = {lock, lock + 2},
                        .access = ByteRange{guarded, guarded + 1},
                        .headers = {&tree}};
    const auto access = static_cast<std::uint32_t>(here.find("n; }"));
    const auto held = hold_lock(tree, {access, access + 1}, how);
    ASSERT_TRUE(held);
    EXPECT_THAT(rewritten(here, held->edits),
                testing::HasSubstr("{ std::lock_guard<std::mutex> lock(mu); return n; }"));
}

TEST(HoldLock, that_a_header_declares_for_all_who_include_it) {
    const auto offered = [](std::string_view linkage) {
        const std::string lock =
            "#ifndef A_H\n#define A_H\n" + std::string(linkage) + " std::mutex mu;\nextern int n;\n#endif\n";
        const std::string habit = "void add() {\n    std::scoped_lock l(mu);\n    n += 1;\n}\n";
        const std::string here = "void clear() {\n    n = 0;\n}\n";
        const SyntaxTree header = SyntaxTree::parse(lock, Language::cpp);
        const SyntaxTree other = SyntaxTree::parse(habit, Language::cpp);
        const SyntaxTree tree = SyntaxTree::parse(here, Language::cpp);
        const std::vector<const SyntaxTree*> headers = {&header};
        const auto at = static_cast<std::uint32_t>(habit.find("mu"));
        const auto access = static_cast<std::uint32_t>(habit.find("n += 1"));
        const LockHabit how{
            .tree = other, .lock = {at, at + 2}, .access = ByteRange{access, access + 1}, .headers = headers};
        const auto use = static_cast<std::uint32_t>(here.find("n = 0"));
        return hold_lock(tree, {use, use + 1}, how, headers).has_value();
    };
    EXPECT_TRUE(offered("extern"));
    EXPECT_TRUE(offered("inline"));
    EXPECT_FALSE(offered("static")) << "each text has its own";
}

TEST(HoldLock, in_brackets_where_a_declaration_cannot_be) {
    EXPECT_EQ(
        fixed(account(
            "void f(Account* a, int n) {\n    switch (n) {\n    case 1: [[a->balance]] = 1;\n    }\n}\n")),
        "{ std::lock_guard<std::mutex> lock(a->mu); a->balance = 1; }");
    EXPECT_EQ(fixed(account("struct B { B(Account* a) : n([[a->balance]]) {} long n; };\n")), "");
    EXPECT_EQ(
        fixed(account(
            "int f(Account* a) {\n    if (!a) goto out;\n    [[a->balance]] = 1;\nout:\n    return 0;\n}\n")),
        "{\n        std::lock_guard<std::mutex> lock(a->mu);\n        a->balance = 1;\n    }")
        << "a jump would pass by it";
}

} // namespace
} // namespace heddle::source
