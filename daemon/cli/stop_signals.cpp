#include "daemon/cli/stop_signals.h"

namespace heddle::cli {

namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};
volatile std::sig_atomic_t signal_arrived = 0;

void note(int /*number*/) {
    signal_arrived = 1;
}

} // namespace

StopSignals::StopSignals() {
    signal_arrived = 0;
    struct sigaction noting {};
    noting.sa_handler = note;
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &noting, &before_[i]);
}

StopSignals::~StopSignals() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
}

bool StopSignals::arrived() {
    return signal_arrived != 0;
}

} // namespace heddle::cli
