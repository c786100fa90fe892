// Which requests for locks, of all those at the places of a deadlock, can make it: each thread asks for a
// lock that the next one holds, no two hold locks that keep each other out, and the order of data
// (data_order.h) lets all of them stand there together.
//
// What can happen at the same time as a request is one stretch of each other thread, so cost is for what is
// allowed; it is bounded, and reaching the bound is told.
#pragma once

#include "analysis/candidate.h"
#include "analysis/witness/combinations.h"
#include "analysis/witness/lock_requests.h"

namespace heddle {

/// Adds to what is there.
void find_deadlock_combinations(const CandidateKey& key, const LockRequests& requests, const DataOrder& order,
                                Combinations& result);

} // namespace heddle
