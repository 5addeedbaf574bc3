// history.cpp - a ring of entries that reuses their buffers.
#include "live/history.h"

#include <algorithm>
#include <utility>

namespace stiction {

namespace {

template <class T>
std::size_t bytes_of(const std::vector<T>& x) {
    return x.capacity() * sizeof(T);
}

std::size_t bytes_of(const Moment& moment) {
    const Guess& guess = moment.guess;
    return bytes_of(moment.state.pose) + bytes_of(moment.state.twist) +
           bytes_of(moment.state.spin_P) + bytes_of(guess.keys) + bytes_of(guess.contacts) +
           bytes_of(guess.impulses) + bytes_of(guess.joints) + bytes_of(guess.joint_impulses) +
           bytes_of(guess.bounded_impulses);
}

}  // namespace

History::History(std::size_t most_steps, std::size_t most_bytes)
    : most_bytes_(most_bytes), slots_(std::max<std::size_t>(most_steps, 2)) {}

void History::clear() {
    at_ = 0;
    drop_ahead();
    first_ = 0;
}

void History::drop_ahead() {
    while (count_ > at_) {
        --count_;
        std::unique_ptr<HistoryEntry>& slot = slots_[(first_ + count_) % slots_.size()];
        bytes_ -= slot->bytes;
        slot->bytes = 0;
        // One is kept for the next push; the others give their memory back.
        if (spare_.empty()) spare_.push_back(std::move(slot));
        slot.reset();
    }
}

void History::forget_oldest() {
    std::unique_ptr<HistoryEntry>& slot = slots_[first_];
    bytes_ -= slot->bytes;
    slot->bytes = 0;
    spare_.push_back(std::move(slot));
    first_ = (first_ + 1) % slots_.size();
    --count_;
    --at_;
}

HistoryEntry& History::push() {
    drop_ahead();
    if (count_ == slots_.size()) forget_oldest();
    std::unique_ptr<HistoryEntry>& slot = slots_[(first_ + count_) % slots_.size()];
    if (spare_.empty()) {
        slot = std::make_unique<HistoryEntry>();
    } else {
        slot = std::move(spare_.back());
        spare_.pop_back();
    }
    ++count_;
    ++at_;
    return *slot;
}

// Two entries stay whatever their size: going back by one step needs them.
void History::filled() {
    HistoryEntry& last = before(1);
    last.bytes = sizeof(HistoryEntry) + bytes_of(last.scene) + bytes_of(last.ghost);
    for (const Moment& peer : last.peers) last.bytes += sizeof(Moment) + bytes_of(peer);
    bytes_ += last.bytes;
    while (bytes_ > most_bytes_ && count_ > 2) forget_oldest();
    if (spare_.size() > 1) spare_.resize(1);
}

void History::pop() {
    --at_;
    drop_ahead();
}

void History::advance() { ++at_; }
void History::retreat() { --at_; }
void History::move_to(std::size_t k) { at_ = std::min(k, count_); }

HistorySpan History::span() const {
    std::size_t length = slots_.size();
    if (count_ > 0 && bytes_ > 0) length = std::min(length, most_bytes_ / (bytes_ / count_));
    return {static_cast<std::int64_t>(at_), static_cast<std::int64_t>(count_ - at_),
            static_cast<std::int64_t>(std::max<std::size_t>(length, 2))};
}

}  // namespace stiction
