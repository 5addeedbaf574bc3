// plot_style.h - the greys of plots; series have colours of their own (plot_series.cpp).
#pragma once

namespace stiction::plotting {

inline constexpr const char* kInk = "#222222";
inline constexpr const char* kGrey = "#6B6B6B";
inline constexpr const char* kGrid = "#E4E4E4";
inline constexpr const char* kMinorGrid = "#F3F3F3";

}  // namespace stiction::plotting
