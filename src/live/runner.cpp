// runner.cpp - the thread that steps a player, its queue of commands and the snapshots it makes.
//
// The player belongs to the thread alone. One mutex guards what the thread and its callers share;
// it is never held while a step, a command or a snapshot is under way.
#include "live/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "live/achieved_speed.h"
#include "live/snapshot_pool.h"

namespace stiction {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr auto kBatch = std::chrono::milliseconds(8);     // of stepping between two snapshots
constexpr auto kInterval = std::chrono::milliseconds(4);  // between two snapshots of a paced run
constexpr auto kLag = std::chrono::milliseconds(50);      // that is caught up with; more is let go
constexpr std::size_t kMaxRecords = 100'000;  // nobody may fetch them: memory stays bounded

struct Command {
    enum class Kind { kCall, kSteps, kPlay, kPause, kReset, kReplace };
    Kind kind = Kind::kCall;
    int steps = 0;  // kSteps: how many are left, negative ones go back
    std::function<void(Player&)> call;
    std::unique_ptr<Player> player;
};

}  // namespace

struct Runner::Impl {
    explicit Impl(std::unique_ptr<Player> first);

    void post(Command command);
    void interrupt(Command::Kind kind);  // orders of steps not yet taken are dropped
    template <class Change>
    void change_pace(const Change& change);

    void run();  // the thread's loop
    void carry_out(Command command, std::unique_lock<std::mutex>& lock);
    void take_ordered_step(std::unique_lock<std::mutex>& lock);
    void take_due_steps(std::unique_lock<std::mutex>& lock);
    [[nodiscard]] bool passes_end(double before) const;
    [[nodiscard]] std::string call(Command& command);
    void begin_epoch();
    void publish_soon(std::unique_lock<std::mutex>& lock);
    bool step(bool ahead, std::unique_lock<std::mutex>& lock);
    void publish(std::unique_lock<std::mutex>& lock);
    void fail(const std::string& text);
    [[nodiscard]] bool due(Clock::time_point now);
    [[nodiscard]] Clock::time_point next_due() const;
    void restart_clock();

    // The thread's own.
    std::unique_ptr<Player> player;
    SnapshotPool pool;
    std::vector<StepRecord> taken;
    std::vector<StepSample> sampled;
    std::int64_t serial = 0;
    bool changed = false;             // since the last snapshot
    Clock::time_point published{};    // when
    Clock::time_point clock_start{};  // from here on simulated time follows the clock,
    double time_start = 0;            // beginning with this time [s]

    // Shared, under the mutex.
    mutable std::mutex mutex;
    std::condition_variable wake, left;
    bool ended = false;  // the thread's loop
    std::deque<Command> queue;
    bool quit = false;
    bool carrying = false;  // a command taken from the queue, its snapshot not there yet
    bool playing = false;
    double speed = 1;
    std::optional<double> horizon;
    double duration = 0;  // of the run [s]; 0: none
    AtEnd end_action = AtEnd::kGoOn;
    bool at_end = false;
    std::int64_t epoch = 0;   // written by the thread alone
    bool clock_stale = true;  // pace was changed: the clock starts anew
    bool stepping = false;
    Clock::time_point step_start{};
    AchievedSpeed achieved;
    std::string error, last_error;
    std::int64_t error_serial = 0;
    std::shared_ptr<const Snapshot> latest;
    std::vector<StepRecord> records;
    std::vector<StepSample> samples;

    std::thread thread;
};

Runner::Impl::Impl(std::unique_ptr<Player> first) : player(std::move(first)) {
    std::unique_lock lock(mutex);
    publish(lock);
}

void Runner::Impl::post(Command command) {
    {
        const std::lock_guard lock(mutex);
        queue.push_back(std::move(command));
    }
    wake.notify_one();
}

void Runner::Impl::interrupt(Command::Kind kind) {
    {
        const std::lock_guard lock(mutex);
        std::erase_if(queue, [](const Command& c) { return c.kind == Command::Kind::kSteps; });
        queue.push_back({kind, 0, {}, {}});
    }
    wake.notify_one();
}

template <class Change>
void Runner::Impl::change_pace(const Change& change) {
    {
        const std::lock_guard lock(mutex);
        change(*this);
        clock_stale = true;
    }
    wake.notify_one();
}

void Runner::Impl::fail(const std::string& text) {
    error = text;
    last_error = text;
    ++error_serial;
}

// Makes a snapshot of the player as it is now; the lock is let go meanwhile.
void Runner::Impl::publish(std::unique_lock<std::mutex>& lock) {
    lock.unlock();
    std::shared_ptr<Snapshot> snapshot = pool.take();
    std::string problem;
    try {
        snapshot->scene_serial = serial;
        snapshot->epoch = epoch;
        player->fill(*snapshot);
        player->take_records(taken);
        player->take_samples(sampled);
    } catch (const std::exception& e) {
        problem = e.what();
    }
    changed = false;
    published = Clock::now();
    lock.lock();
    if (problem.empty()) {
        latest = std::move(snapshot);
    } else {
        fail(problem);
    }
    records.insert(records.end(), taken.begin(), taken.end());
    if (records.size() > 2 * kMaxRecords)
        records.erase(records.begin(), records.end() - kMaxRecords);
    taken.clear();
    std::move(sampled.begin(), sampled.end(), std::back_inserter(samples));
    if (samples.size() > 2 * kMaxRecords)
        samples.erase(samples.begin(), samples.end() - kMaxRecords);
    sampled.clear();
}

bool Runner::Impl::step(bool ahead, std::unique_lock<std::mutex>& lock) {
    stepping = true;
    step_start = Clock::now();
    lock.unlock();
    const double before = player->time();
    bool went_on = false;
    std::string problem;
    try {
        went_on = ahead ? player->forward() : player->back();
    } catch (const std::exception& e) {
        problem = e.what();
    }
    const double after = player->time();
    changed = true;
    lock.lock();
    stepping = false;
    if (playing && went_on) achieved.add(Clock::now(), after - before);
    if (!problem.empty()) fail(problem);
    return went_on;
}

// One step of forward(n) or back(n); the next one follows when the loop comes round.
void Runner::Impl::take_ordered_step(std::unique_lock<std::mutex>& lock) {
    const bool ahead = queue.front().steps > 0;
    at_end = false;
    playing = false;
    achieved.stop();
    carrying = true;
    const bool went_on = step(ahead, lock);
    if (went_on && !ahead) begin_epoch();
    // interrupt() may have dropped the order meanwhile.
    if (!queue.empty() && queue.front().kind == Command::Kind::kSteps) {
        queue.front().steps -= ahead ? 1 : -1;
        if (queue.front().steps == 0 || !went_on) queue.pop_front();
    }
    publish_soon(lock);
    carrying = false;
}

void Runner::Impl::carry_out(Command command, std::unique_lock<std::mutex>& lock) {
    using Kind = Command::Kind;
    carrying = true;
    if (command.kind != Kind::kCall) at_end = false;
    if (command.kind == Kind::kPlay || command.kind == Kind::kPause) {
        playing = command.kind == Kind::kPlay;
        clock_stale = true;
        achieved.stop();
        if (playing) achieved.start(Clock::now());
    } else {
        const double before = player->time();
        const bool replaced = command.kind == Kind::kReplace;
        lock.unlock();
        const std::string problem = call(command);
        command = {};  // a player that was replaced ends here
        changed = true;
        lock.lock();
        if (problem.empty()) {
            error.clear();
        } else {
            fail(problem);
        }
        clock_stale = clock_stale || player->time() != before;
        if (replaced || player->time() < before) begin_epoch();
    }
    publish_soon(lock);
    carrying = false;
}

// Returns what went wrong.
std::string Runner::Impl::call(Command& command) {
    using Kind = Command::Kind;
    try {
        if (command.kind == Kind::kReset) player->reset();
        if (command.kind == Kind::kCall) command.call(*player);
        if (command.kind == Kind::kReplace) {
            const std::lock_guard lock(mutex);
            std::swap(player, command.player);
            records.clear();
            samples.clear();
            pool = SnapshotPool();
            ++serial;
        }
    } catch (const std::exception& e) {
        return e.what();
    }
    return {};
}

// The run was set back; a horizon that lay ahead would let it race there.
void Runner::Impl::begin_epoch() {
    ++epoch;
    if (horizon) horizon = player->time();
}

// After a command or an ordered step: at once unless more are waiting.
void Runner::Impl::publish_soon(std::unique_lock<std::mutex>& lock) {
    if (queue.empty() || Clock::now() - published >= kBatch) publish(lock);
}

void Runner::Impl::restart_clock() {
    clock_stale = false;
    clock_start = Clock::now();
    time_start = player->time();
}

// When the next step ends by the clock.
Clock::time_point Runner::Impl::next_due() const {
    const double ahead = (player->time() + player->h() - time_start) / speed;
    constexpr double kLongest = 3600;  // [s]: the clock would overflow at speeds near 0
    return clock_start +
           std::chrono::duration_cast<Clock::duration>(Seconds(std::min(ahead, kLongest)));
}

bool Runner::Impl::due(Clock::time_point now) {
    if (horizon) return player->time() < *horizon;
    if (speed <= 0) return true;
    if (clock_stale) restart_clock();
    const Clock::time_point next = next_due();
    if (now - next > kLag) {  // too slow for the clock: what is late is let go
        clock_start = now;
        time_start = player->time();
        return true;
    }
    return now >= next;
}

// Whether the step that began at `before` has reached a multiple of the duration. Times are sums of
// steps, so that half a step decides.
bool Runner::Impl::passes_end(double before) const {
    if (end_action == AtEnd::kGoOn || duration <= 0 || horizon) return false;
    const double half = 0.5 * (player->time() - before);
    return half > 0 &&
           std::floor((player->time() + half) / duration) > std::floor((before + half) / duration);
}

void Runner::Impl::take_due_steps(std::unique_lock<std::mutex>& lock) {
    const Clock::time_point start = Clock::now();
    bool went_on = true;
    while (went_on && playing && !quit && queue.empty() && due(Clock::now()) &&
           Clock::now() - start < kBatch) {
        const double before = player->time();
        went_on = step(true, lock);
        if (!passes_end(before)) continue;
        at_end = true;
        if (end_action == AtEnd::kStop) went_on = false;
        break;
    }
    if (!went_on) {
        playing = false;
        achieved.stop();
    }
    if (changed) publish(lock);
    if (at_end && end_action == AtEnd::kLoop && playing)
        carry_out({Command::Kind::kReset, 0, {}, {}}, lock);
}

void Runner::Impl::run() {
    std::unique_lock lock(mutex);
    const auto called = [this] { return quit || !queue.empty() || clock_stale; };
    while (!quit) {
        if (!queue.empty()) {
            if (queue.front().kind == Command::Kind::kSteps) {
                take_ordered_step(lock);
                continue;
            }
            Command command = std::move(queue.front());
            queue.pop_front();
            carry_out(std::move(command), lock);
        } else if (playing && due(Clock::now())) {
            take_due_steps(lock);
        } else if (playing && !horizon) {
            if (!clock_stale)
                wake.wait_until(lock, std::max(next_due(), published + kInterval), called);
        } else {
            clock_stale = false;
            wake.wait(lock, called);
        }
    }
    ended = true;
    left.notify_all();
}

Runner::Runner(std::unique_ptr<Player> player) : impl_(std::make_unique<Impl>(std::move(player))) {
    impl_->thread = std::thread([impl = impl_.get()] { impl->run(); });
}

Runner::~Runner() {
    {
        const std::lock_guard lock(impl_->mutex);
        impl_->quit = true;
    }
    impl_->wake.notify_one();
    impl_->thread.join();
}

bool Runner::end(std::chrono::milliseconds patience) {
    std::unique_lock lock(impl_->mutex);
    impl_->quit = true;
    impl_->wake.notify_one();
    return impl_->left.wait_for(lock, patience, [this] { return impl_->ended; });
}

void Runner::abandon() {
    impl_->mutex.lock();  // for good
    impl_->player->abandon();
}

void Runner::replace(std::unique_ptr<Player> player) {
    impl_->post({Command::Kind::kReplace, 0, {}, std::move(player)});
}

void Runner::play() { impl_->interrupt(Command::Kind::kPlay); }
void Runner::pause() { impl_->interrupt(Command::Kind::kPause); }
void Runner::forward(int steps) {
    if (steps > 0) impl_->post({Command::Kind::kSteps, steps, {}, {}});
}
void Runner::back(int steps) {
    if (steps > 0) impl_->post({Command::Kind::kSteps, -steps, {}, {}});
}
void Runner::reset() { impl_->post({Command::Kind::kReset, 0, {}, {}}); }

void Runner::post(std::function<void(Player&)> command) {
    impl_->post({Command::Kind::kCall, 0, std::move(command), {}});
}

void Runner::set_speed(double speed) {
    impl_->change_pace([speed](Impl& m) { m.speed = std::max(speed, 0.0); });
}

void Runner::set_end(double duration, AtEnd what) {
    impl_->change_pace([duration, what](Impl& m) {
        m.duration = duration;
        m.end_action = what;
    });
}

void Runner::set_horizon(std::optional<double> time, std::optional<std::int64_t> epoch) {
    impl_->change_pace([time, epoch](Impl& m) {
        if (!epoch || *epoch == m.epoch) m.horizon = time;
    });
}

std::shared_ptr<const Snapshot> Runner::snapshot() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->latest;
}

Pace Runner::pace() const {
    const Clock::time_point now = Clock::now();
    const std::lock_guard lock(impl_->mutex);
    Pace pace;
    pace.playing = impl_->playing;
    pace.at_end = impl_->at_end && !impl_->playing;
    pace.speed = impl_->speed;
    pace.achieved = impl_->achieved.value();
    pace.stepping = impl_->stepping;
    if (impl_->stepping) pace.step_running = Seconds(now - impl_->step_start).count();
    pace.waiting = impl_->queue.size() + (impl_->carrying ? 1 : 0);
    pace.error = impl_->error;
    pace.error_serial = impl_->error_serial;
    pace.last_error = impl_->last_error;
    return pace;
}

std::shared_ptr<const Snapshot> Runner::take_records(std::vector<StepRecord>& records,
                                                     std::vector<StepSample>* samples) {
    const std::lock_guard lock(impl_->mutex);
    std::vector<StepRecord>& mine = impl_->records;
    const std::size_t extra = mine.size() > kMaxRecords ? mine.size() - kMaxRecords : 0;
    records.insert(records.end(), mine.begin() + static_cast<std::ptrdiff_t>(extra), mine.end());
    mine.clear();
    if (samples != nullptr) {
        std::move(impl_->samples.begin(), impl_->samples.end(), std::back_inserter(*samples));
        impl_->samples.clear();
    }
    return impl_->latest;
}

}  // namespace stiction
