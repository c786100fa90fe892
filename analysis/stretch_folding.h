// Keeps what a thread does while transactions are open as short as what differs in it.
//
// Whether a critical section is a transaction is known only at its end, which may be the end of the run: a
// thread that polls under a lock it never gives back makes millions of accesses in one section. Most of them
// repeat one that it made since its last synchronisation, and say nothing that the earlier one and the latest
// one of their kind do not say: those are folded into the latest one.
#pragma once

#include "analysis/transaction_pairs.h"

namespace heddle {

/// To be called once the stretch has as many accesses as its `fold_at` says: then all calls together take
/// O(1) per access. Cells and pairs come out as they would without it, number by number and count by count,
/// if blocks begin and end at synchronisation events only.
void fold_repeated_accesses(Stretch& stretch);

} // namespace heddle
