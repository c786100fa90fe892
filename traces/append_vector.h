// Append-only storage whose elements never move, so that a snapshot taken at some length stays valid,
// and may be read by other threads, while its owner goes on appending.
//
// AppendVector has one owner, which appends. snapshot() is O(1) and shares the memory. Segments double
// in size: segment s holds 2^(FirstBits + s) elements, so there are at most 32 of them, and memory that
// was reserved but not yet used is never touched.
#pragma once

#include "traces/raw_memory.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

namespace heddle {

namespace detail {

template<typename T, unsigned FirstBits>
struct Segments {
    static_assert(std::is_trivially_copyable_v<T>);
    static constexpr std::size_t kFirst = std::size_t{1} << FirstBits;

    std::array<RawArray<T>, 33 - FirstBits> data;

    static std::size_t segment_of(std::size_t index) {
        return static_cast<std::size_t>(std::bit_width((index >> FirstBits) + 1)) - 1;
    }
    static std::size_t start_of(std::size_t segment) {
        return ((std::size_t{1} << segment) - 1) << FirstBits;
    }
    static std::size_t capacity_of(std::size_t segment) { return kFirst << segment; }

    [[nodiscard]] T& at(std::size_t index) const {
        const std::size_t segment = segment_of(index);
        return data[segment][index - start_of(segment)];
    }
};

} // namespace detail

/// A table that grows without being copied, for one owner.
template<typename T, unsigned FirstBits = 4>
class GrowingTable {
  public:
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] T& operator[](std::size_t index) { return segments_.at(index); }
    [[nodiscard]] const T& operator[](std::size_t index) const { return segments_.at(index); }
    [[nodiscard]] T& back() { return segments_.at(size_ - 1); }

    void push_back(const T& value) {
        auto& data = segments_.data[Segments::segment_of(size_)];
        if (!data) data = allocate_raw<T>(Segments::capacity_of(Segments::segment_of(size_)));
        segments_.at(size_) = value;
        ++size_;
    }
    void clear() { *this = {}; }

  private:
    using Segments = detail::Segments<T, FirstBits>;

    Segments segments_;
    std::size_t size_ = 0;
};

/// An immutable prefix of an AppendVector. Cheap to copy; keeps the memory alive.
template<typename T, unsigned FirstBits = 10>
class AppendView {
  public:
    using Segments = detail::Segments<T, FirstBits>;

    AppendView() = default;
    AppendView(std::shared_ptr<const Segments> segments, std::size_t size)
        : segments_(std::move(segments)), size_(size) {}

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] bool empty() const { return size_ == 0; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return segments_->at(index); }
    [[nodiscard]] const T& front() const { return (*this)[0]; }
    [[nodiscard]] const T& back() const { return (*this)[size_ - 1]; }

    /// The longest contiguous run of elements that starts at `index`; empty at the end.
    [[nodiscard]] std::span<const T> run_from(std::size_t index) const {
        if (index >= size_) return {};
        const std::size_t segment = Segments::segment_of(index);
        const std::size_t start = Segments::start_of(segment);
        const std::size_t end = std::min(size_, start + Segments::capacity_of(segment));
        return {segments_->data[segment].get() + (index - start), end - index};
    }

    class Iterator {
      public:
        using value_type = T;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const AppendView* view, std::size_t index) : view_(view), index_(index) { load(); }
        const T& operator*() const { return *at_; }
        Iterator& operator++() {
            ++index_;
            if (++at_ == end_) load();
            return *this;
        }
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator& other) const { return index_ == other.index_; }

      private:
        void load() {
            const std::span<const T> run = view_->run_from(index_);
            at_ = run.data();
            end_ = at_ + run.size();
        }
        const AppendView* view_ = nullptr;
        std::size_t index_ = 0;
        const T* at_ = nullptr;
        const T* end_ = nullptr;
    };
    [[nodiscard]] Iterator begin() const { return {this, 0}; }
    [[nodiscard]] Iterator end() const { return {this, size_}; }

    friend bool operator==(const AppendView& a, const AppendView& b) {
        return a.size_ == b.size_ && std::equal(a.begin(), a.end(), b.begin());
    }

  private:
    std::shared_ptr<const Segments> segments_;
    std::size_t size_ = 0;
};

template<typename T, unsigned FirstBits = 10>
class AppendVector {
  public:
    using View = AppendView<T, FirstBits>;
    using Segments = detail::Segments<T, FirstBits>;

    AppendVector() : segments_(std::make_shared<Segments>()) {}
    AppendVector(const AppendVector&) = delete;
    AppendVector& operator=(const AppendVector&) = delete;
    AppendVector(AppendVector&&) noexcept = default;
    AppendVector& operator=(AppendVector&&) noexcept = default;
    ~AppendVector() = default;

    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const T& operator[](std::size_t index) const { return segments_->at(index); }

    void push_back(const T& value) {
        space(1)[0] = value;
        ++size_;
    }

    /// Uninitialised room for up to `wanted` more elements, at least one, contiguous. What was filled
    /// becomes part of the vector with commit().
    [[nodiscard]] std::span<T> space(std::size_t wanted) {
        const std::size_t segment = Segments::segment_of(size_);
        const std::size_t start = Segments::start_of(segment);
        auto& data = segments_->data[segment];
        if (!data) data = allocate_raw<T>(Segments::capacity_of(segment));
        const std::size_t room = start + Segments::capacity_of(segment) - size_;
        return {data.get() + (size_ - start), std::min(wanted, room)};
    }
    void commit(std::size_t count) { size_ += count; }

    /// Changes an element. Snapshots that share it keep the old one: the storage is copied first.
    void replace(std::size_t index, const T& value) {
        if (segments_.use_count() > 1) *this = copy();
        segments_->at(index) = value;
    }

    [[nodiscard]] View snapshot() const { return {segments_, size_}; }

  private:
    [[nodiscard]] AppendVector copy() const {
        AppendVector result;
        for (const T& value : snapshot()) result.push_back(value);
        return result;
    }

    std::shared_ptr<Segments> segments_;
    std::size_t size_ = 0;
};

} // namespace heddle
