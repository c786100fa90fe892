// What is between nodes and tree-sitter; for node.cpp and forest.cpp only.
#pragma once

#include "analysis/source/node.h"

#include <cstddef>

#include <tree_sitter/api.h>

namespace heddle::source {

struct NodeAccess {
    static TSNode get(const Node& node) {
        TSNode result;
        for (std::size_t i = 0; i < node.context_.size(); ++i) result.context[i] = node.context_[i];
        result.id = node.id_;
        result.tree = static_cast<const TSTree*>(node.tree_);
        return result;
    }
    static Node make(const TSNode& node, const Forest* forest) {
        Node result;
        for (std::size_t i = 0; i < result.context_.size(); ++i) result.context_[i] = node.context[i];
        result.id_ = node.id;
        result.tree_ = node.tree;
        result.forest_ = forest;
        return result;
    }
    static Node root(const Forest& forest) {
        Node result;
        result.id_ = &forest;
        result.forest_ = &forest;
        return result;
    }
    static const Forest* forest(const Node& node) { return node.forest_; }
    static bool is_root(const Node& node) { return node.id_ == node.forest_; }
};

/// Walks the children of a node in one pass: asking for them by number would be quadratic.
class Children {
  public:
    explicit Children(const Node& node)
        : cursor_(ts_tree_cursor_new(NodeAccess::get(node))), forest_(NodeAccess::forest(node)) {
        there_ = ts_tree_cursor_goto_first_child(&cursor_);
    }
    ~Children() { ts_tree_cursor_delete(&cursor_); }
    Children(const Children&) = delete;
    Children& operator=(const Children&) = delete;
    Children(Children&&) = delete;
    Children& operator=(Children&&) = delete;

    [[nodiscard]] bool there() const { return there_; }
    [[nodiscard]] Node get() const {
        return NodeAccess::make(ts_tree_cursor_current_node(&cursor_), forest_);
    }
    void next() { there_ = ts_tree_cursor_goto_next_sibling(&cursor_); }
    /// Goes on with the children of the current child.
    void descend() { there_ = ts_tree_cursor_goto_first_child(&cursor_); }

  private:
    TSTreeCursor cursor_;
    const Forest* forest_;
    bool there_ = false;
};

} // namespace heddle::source
