// module.cpp - the module _stiction: its exceptions and its parts. The package stiction, in Python,
// is what users import.
#include "python/bindings.h"
#include "record/output_file.h"
#include "world/world.h"

PYBIND11_MODULE(_stiction, module) {
    namespace py = pybind11;
    module.doc() = "Rigid bodies in contact: what the package stiction is made of.";
    module.attr("__version__") = STICTION_VERSION;
    // Under the name that users import.
    const auto add = [](auto&& exception, const char* text) {
        exception.doc() = text;
        exception.attr("__module__") = "stiction";
    };
    add(py::register_exception<stiction::InputError>(module, "InputError", PyExc_ValueError),
        "A scene, a file or an argument that will not do; the message is the program's.");
    add(py::register_exception<stiction::OutputError>(module, "OutputError", PyExc_OSError),
        "A file could not be written.");
    add(py::register_exception<stiction::StepError>(module, "StepError", PyExc_RuntimeError),
        "A step would have led to a state that is not finite; the one before it is kept.");
    stiction::bind_problems(module);
    stiction::bind_world(module);
    stiction::bind_datasets(module);
}
