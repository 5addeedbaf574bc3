// run_sweep.cpp - hands out jobs and gathers results.
#include "sweep/run_sweep.h"

#include <algorithm>
#include <deque>
#include <map>

#include "core/error.h"
#include "sweep/run_job.h"
#include "sweep/worker_pool.h"

namespace stiction {

namespace {

constexpr int kPatienceMs = 20;  // between two looks at what else happened, below a signal's grace
constexpr int kMostCrashes = 2;  // of one job's workers by themselves: then it is the job's fault
constexpr int kMostKills = 5;    // the same by signals from outside, out of memory among them

class SweepRunner {
  public:
    SweepRunner(const Plan& plan, const std::vector<std::int64_t>& jobs, const SweepRun& run,
                RowJournal& journal)
        : plan_(plan),
          run_(run),
          journal_(journal),
          waiting_(jobs.begin(), jobs.end()),
          pool_(run.worker, static_cast<int>(std::min<std::size_t>(
                                static_cast<std::size_t>(run.workers), jobs.size()))) {}

    std::int64_t work() {
        bool going = run_.go_on(nullptr);
        while (going && (!waiting_.empty() || pool_.has_busy())) {
            while (pool_.has_room(depth()) && !waiting_.empty()) {
                const std::int64_t number = waiting_.front();
                waiting_.pop_front();
                pool_.give(number, job_line(plan_.job(number)));
            }
            for (const WorkerEvent& event : pool_.wait(kPatienceMs)) {
                take(event);
            }
            going = run_.go_on(nullptr);
        }
        return ended_;
    }

  private:
    // Short jobs are handed out two at a time, so that workers need not wait for the next; long ones
    // go to whoever is free first.
    [[nodiscard]] std::size_t depth() const {
        constexpr double kShort = 0.05;  // [s]
        return ended_ > 0 && seconds_ / static_cast<double>(ended_) < kShort ? 2 : 1;
    }

    void take(const WorkerEvent& event) {
        if (event.kind == WorkerEvent::Kind::kAnswered) {
            take_answer(event);
        } else if (event.kind == WorkerEvent::Kind::kReturned) {
            waiting_.push_front(event.task);
        } else {
            take_death(event);
        }
    }

    void take_answer(const WorkerEvent& event) {
        JobResult result = read_result_line(event.text);
        if (const std::string file = changed_file(plan_); !file.empty())
            throw InputError(file +
                             ": changed while the sweep ran; results so far belong to the file as "
                             "it was: start the sweep again");
        finish(std::move(result), event.task);
    }

    // Tried again: a worker may be killed by whoever needs its machine. A job that kills its workers
    // becomes a row, too.
    void take_death(const WorkerEvent& event) {
        Deaths& deaths = deaths_[event.task];
        const bool killed = event.kind == WorkerEvent::Kind::kKilled;
        ++(killed ? deaths.kills : deaths.crashes);
        if (deaths.crashes < kMostCrashes && deaths.kills < kMostKills) {
            waiting_.push_front(event.task);
            return;
        }
        JobResult result;
        result.status = JobStatus::kCrashed;
        result.message = event.text + ", " + std::to_string(deaths.crashes + deaths.kills) +
                         " times" + (killed ? "; it may need more memory" : "");
        finish(std::move(result), event.task);
    }

    void finish(JobResult result, std::int64_t number) {
        result.number = number;
        result.id = plan_.id(number);
        journal_.add(result);
        ++ended_;
        seconds_ += result.times[0];
        (void)run_.go_on(&result);
    }

    struct Deaths {
        int crashes = 0, kills = 0;
    };

    const Plan& plan_;
    const SweepRun& run_;
    RowJournal& journal_;
    std::deque<std::int64_t> waiting_;
    std::map<std::int64_t, Deaths> deaths_;
    WorkerPool pool_;
    std::int64_t ended_ = 0;
    double seconds_ = 0;  // that they took
};

}  // namespace

bool is_finished(const Plan& plan, std::int64_t number, const JournalRows& content) {
    const auto found = content.results.find(plan.id(number));
    if (found == content.results.end() || found->second.status == JobStatus::kCrashed) return false;
    const auto& kept = plan.sweep.keep;
    return std::all_of(kept.begin(), kept.end(), [&](const KeptColumn& column) {
        return found->second.values.contains(column.path);
    });
}

std::vector<std::int64_t> missing_jobs(const Plan& plan, const SweepRun& run,
                                       const JournalRows& content) {
    std::vector<std::int64_t> missing;
    for (std::int64_t number = run.first; number <= run.last; ++number) {
        if (!is_finished(plan, number, content)) missing.push_back(number);
    }
    return missing;
}

std::int64_t run_sweep(const Plan& plan, const std::vector<std::int64_t>& jobs, const SweepRun& run,
                       RowJournal& journal) {
    if (jobs.empty()) return 0;
    return SweepRunner(plan, jobs, run, journal).work();
}

void serve_jobs() {
    serve_lines([](const std::string& line) { return result_line(run_job(read_job_line(line))); });
}

}  // namespace stiction
