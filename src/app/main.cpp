// main.cpp - carries out what the command line asks for, words what went wrong, gives the exit status
// (0 done, 1 the run failed, 2 bad usage or bad input).
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "app/all_commands.h"
#include "app/command_line.h"
#include "app/interrupt.h"
#include "app/messages.h"
#include "core/error.h"
#include "core/simd.h"

namespace stiction {

namespace {

int run_program(int argc, char** argv) {
    AllCommands commands;
    check_simd_choice();
    const AllCommands::Asked asked = commands.read({argv + 1, argv + argc});
    if (asked.command == nullptr) {
        std::fputs(asked.text.c_str(), stdout);
        return kExitDone;
    }
    set_up_log(commands.log_level());
    return asked.command->execute();
}

// Memory may run out where nothing can be thrown: on a thread of a solver, in a destructor. Any other
// cause is a fault of the program and ends it with a core.
void end_without_memory() {
    try {
        if (const std::exception_ptr thrown = std::current_exception())
            std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
        constexpr std::string_view kText = "error: out of memory\n";
        [[maybe_unused]] const auto written = write(STDERR_FILENO, kText.data(), kText.size());
        _exit(kExitFailed);
    } catch (...) {
        std::abort();
    }
    std::abort();
}

// What is thrown becomes one message and an exit status.
template <class Work>
int guarded(const Work& work) {
    try {
        return work();
    } catch (const InputError& error) {
        end_by_itself();
        print_error(error.what());
        return kExitUsage;
    } catch (const std::bad_alloc&) {
        end_by_itself();
        print_error("out of memory");
        return kExitFailed;
    } catch (const std::exception& error) {
        end_by_itself();
        print_error(error.what());
        return kExitFailed;
    }
}

}  // namespace

}  // namespace stiction

int main(int argc, char** argv) {
    using namespace stiction;
    std::set_terminate(end_without_memory);
    return guarded([&] {
        watch_signals();
        const int status = guarded([&] { return run_program(argc, argv); });
        end_by_itself();
        if (status == kExitDone) check_standard_output();
        return status;
    });
}
