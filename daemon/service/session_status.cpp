// Sessions: what a status line and a list of findings show, for clients that have them.
#include "daemon/present/finding_list.h"
#include "daemon/service/commands.h"
#include "daemon/service/session.h"
#include "daemon/service/summary.h"

#include <utility>

#include <boost/asio/post.hpp>

namespace heddle::service {

void Session::status_changed() {
    if (!wants_status_ || std::exchange(telling_status_, true)) return;
    boost::asio::post(hub_.loop(), [this, alive = alive_] {
        if (!*alive) return;
        telling_status_ = false;
        tell_status();
    });
}

void Session::tell_status() {
    if (lifecycle_.state() != lsp::Lifecycle::State::initialized) return;
    Summary summary{.recording = recording_ != nullptr};
    for (const auto& [root, workspace] : workspaces_) summary += summary_of(*workspace, ignored_);
    lsp::Json status = to_status(summary);
    if (status == told_status_) return;
    told_status_ = std::move(status);
    connection_.notify(kStatusNotification, told_status_);
}

lsp::Json Session::findings() {
    lsp::Json list = lsp::Json::array();
    for (const auto& [root, workspace] : workspaces_) {
        const present::View view{workspace->bugs(), client_, texts_, drift_};
        for (const auto& [key, bug] : workspace->bugs().all()) {
            if (workspace->visible(bug) && !present::is_ignored(view, bug))
                list.push_back(present::list_entry(view, bug));
        }
    }
    return list;
}

} // namespace heddle::service
