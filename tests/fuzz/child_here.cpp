// child_here.cpp - in the fuzzers' program what a child would do is done on the spot, because a fork
// costs more than reading: stands in for core/child_start.cpp. What the work breaks ends the worker
// (worker.h), which is a process of its own already.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

#include "core/child_process.h"

namespace stiction {

ChildProcess::ChildProcess(std::string subject, const ChildLimits& limits,
                           const std::function<void(ChildOutput&)>& work)
    : subject_(std::move(subject)), limits_(limits), pipe_(memfd_create("child", MFD_CLOEXEC)) {
    if (pipe_ < 0) {
        std::perror("a file in memory in the place of a pipe");
        std::exit(2);
    }
    work_as_child(pipe_, subject_, limits_, work);
    lseek(pipe_, 0, SEEK_SET);
}

ChildProcess::~ChildProcess() { close(pipe_); }

void ChildProcess::report_death() { fail("its reader ended on it; the file is damaged"); }

}  // namespace stiction
