// Connection pool: a connection belongs to one client from acquire to release, and is used without a lock
// meanwhile.
//
// threads: client
//
// not a bug: race on 'pool.free_count'
//   write `free_count` in Pool::acquire [take], holding 'pool.mutex'
//   write `free_count` in Pool::release [give-back], holding 'pool.mutex'
//   because both hold pool.mutex
// no witness: race on 'connections[*].requests'
//   update `requests` in Connection::request [use], holding nothing
//   update `requests` in Connection::request [use], holding nothing
//   because nobody gets a connection before the list of free ones says that it was given back
#include "sample.h"

#include <condition_variable>
#include <mutex>
#include <thread>

struct Connection {
    long requests = 0;

    NOINLINE void request() {
        requests += 1; // [use]
    }
};

static constexpr int kConnections = 2;
static constexpr int kClients = 3;
static Connection connections[kConnections];

// Clang tells of the write alone in `free_count -= 1`, and what was not seen being read rules nothing out.
// clang flags: -mllvm -tsan-instrument-read-before-write=1
struct Pool {
    std::mutex mutex;
    std::condition_variable given_back;
    Connection* free[kConnections] = {&connections[0], &connections[1]};
    int free_count = kConnections;

    NOINLINE Connection* acquire() {
        std::unique_lock<std::mutex> lock(mutex);
        while (free_count == 0) given_back.wait(lock);
        free_count -= 1; // [take]
        return free[free_count];
    }

    NOINLINE void release(Connection* connection) {
        const std::lock_guard<std::mutex> lock(mutex);
        free[free_count] = connection;
        free_count += 1; // [give-back]
        given_back.notify_one();
    }
};

static Pool pool;

static void client() {
    name_thread("client");
    for (int i = 0; i < 2; ++i) {
        Connection* connection = pool.acquire();
        connection->request();
        pool.release(connection);
    }
}

int main() {
    std::thread clients[kClients];
    for (std::thread& thread : clients) thread = std::thread(client);
    for (std::thread& thread : clients) thread.join();
    return connections[0].requests + connections[1].requests == 2 * kClients ? CLEAN_RUN : WRONG_RESULT;
}
