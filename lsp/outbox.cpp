#include "lsp/outbox.h"

#include "lsp/framing.h"

#include <utility>

namespace heddle::lsp {

bool Outbox::push(std::string_view body) {
    if (bytes() > 0 && bytes() + body.size() > max_bytes_) return false;
    waiting_ += frame(body);
    return true;
}

void Outbox::flush(Transport::Done done) {
    if (waiting_.empty() || !under_way_.empty()) return;
    std::swap(waiting_, under_way_);
    transport_.write(under_way_, std::move(done));
}

void Outbox::written() {
    // Not kept for the next: one large message would stay allocated for the life of the session.
    under_way_ = {};
}

} // namespace heddle::lsp
