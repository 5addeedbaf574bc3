// run_job.h - carries out one job: loads its scene, takes its steps, keeps columns of the summary.
#pragma once

#include "scene/scene.h"
#include "sweep/job.h"

namespace stiction {

// The scene with all that the job changes. Throws InputError.
[[nodiscard]] Scene load_job_scene(const Job& job);

[[nodiscard]] std::int64_t job_steps(const Job& job, const Scene& scene);  // throws InputError

// The summary after one step: which columns there will be.
[[nodiscard]] std::string first_summary(const Job& job);  // throws InputError

// Whatever goes wrong is in the result; its id is left empty. Results have the same bits wherever
// and whenever the job runs.
[[nodiscard]] JobResult run_job(const Job& job);

}  // namespace stiction
