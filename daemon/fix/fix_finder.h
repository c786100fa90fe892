// Looks for fixes behind the loop's back, and remembers what was found: an editor asks for code actions at
// every movement of the cursor.
//
// Lives on the loop. A worker reads the trace again, as reports are free of it.
#pragma once

#include "daemon/fix/offers.h"
#include "daemon/service/shared_symbols.h"
#include "daemon/service/trace_store.h"
#include "daemon/service/work_pool.h"

#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace heddle::fix {

/// An access of a finding, of which a run tells.
struct Question {
    std::string trace; ///< path
    std::string root;  ///< of the workspace
    service::SharedReport report;
    std::size_t finding = 0; ///< in the report
    std::size_t access = 0;

    bool operator==(const Question&) const = default;
};

class FixFinder {
  public:
    FixFinder(boost::asio::io_context& loop, service::WorkPool& pool, service::SharedSymbols& symbols)
        : loop_(loop), pool_(pool), symbols_(symbols) {}
    ~FixFinder();
    FixFinder(const FixFinder&) = delete;
    FixFinder& operator=(const FixFinder&) = delete;
    FixFinder(FixFinder&&) = delete;
    FixFinder& operator=(FixFinder&&) = delete;

    using Found = std::function<void(const std::vector<Offer>&)>;
    /// Calls back from the loop: at once when the answer is known.
    void find(const Question& question, Found found);
    /// What is known already; null when nothing is.
    [[nodiscard]] const std::vector<Offer>* known(const Question& question) const;

  private:
    struct Entry {
        Question question;
        bool done = false;
        std::vector<Offer> offers;
        std::vector<Found> waiting;
    };
    void finish(const Question& question, std::vector<Offer> offers);

    boost::asio::io_context& loop_;
    service::WorkPool& pool_;
    service::SharedSymbols& symbols_;
    std::list<Entry> entries_; ///< the last few, most recent first
    std::stop_source stop_;
    std::shared_ptr<FixFinder*> self_ = std::make_shared<FixFinder*>(this);
};

} // namespace heddle::fix
