// panel_controls.cpp - sliders for motors and scripts of the scene.
#include <imgui.h>

#include "live/live_scene.h"
#include "view/panels.h"

namespace stiction {

void controls_panel(Desk& desk) {
    const std::vector<Control>& controls = desk.session.now().controls;
    if (controls.empty() || desk.session.is_replay()) return;
    if (!section(desk.log, "section/controls", "Motors and forces", false)) return;
    for (std::size_t i = 0; i < controls.size(); ++i) {
        const Control& control = controls[i];
        double value = control.value;
        const std::string label =
            control.name + (control.unit.empty() ? "" : " [" + control.unit + "]");
        ImGui::PushID(static_cast<int>(i));
        grey_text(label);
        ImGui::SetNextItemWidth(-1);
        if (ImGui::SliderScalar("##value", ImGuiDataType_Double, &value, &control.low,
                                &control.high, "%.4g")) {
            desk.session.post([i, value](LiveScene& live) { live.set_control(i, value); });
        }
        desk.log.mark("control/" + control.name);
        ImGui::PopID();
    }
}

}  // namespace stiction
