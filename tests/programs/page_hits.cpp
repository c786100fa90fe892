// Page hits: the counter's only function is so small that it is part of whoever calls it. Visitors count
// under a lock, the crawler does not.
//
// threads: visitor, crawler
//
// bug: race on 'last_page.number'
//   write `number` in Page::set [set] from visit [visit], holding 'site_mutex'
//   write `number` in Page::set [set] from crawl [crawl], holding nothing
//   because the crawler does not take site_mutex
#include "sample.h"

#include <mutex>
#include <thread>

struct Page {
    long number = 0;

    INLINE void set(long page) {
        number = page; // [set]
    }
};

Page last_page; // not static, or Clang makes a variable of its own of the number
static std::mutex site_mutex;

NOINLINE static void visit(long page) {
    const std::lock_guard<std::mutex> lock(site_mutex);
    last_page.set(page); // [visit]
}

NOINLINE static void crawl(long page) {
    last_page.set(page); // [crawl]
}

static void visitor() {
    name_thread("visitor");
    visit(1);
}

static void crawler() {
    name_thread("crawler");
    crawl(2);
}

int main() {
    std::thread visiting(visitor);
    std::thread crawling(crawler);
    visiting.join();
    crawling.join();
    return last_page.number != 0 ? CLEAN_RUN : WRONG_RESULT;
}
