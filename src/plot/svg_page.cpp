// svg_page.cpp - the head of the file, a white ground and the title.
#include "plot/svg_page.h"

#include "plot/plot_style.h"

namespace stiction::plotting {

std::string svg_page(const std::string& title, double width, double height,
                     const Drawing& drawing) {
    Drawing page;
    page.raw(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\""
        " width=\"" +
        px(width) + "\" height=\"" + px(height) + "\" viewBox=\"0 0 " + px(width) + " " +
        px(height) +
        "\" font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\">\n");
    page.rect(0, 0, width, height, "fill=\"#FFFFFF\"");
    page.words(kEdge + 2, kEdge + 14, title, font(kTitleFont + 3, kInk, "start", true));
    page.raw(drawing.text() + "</svg>\n");
    return page.text();
}

}  // namespace stiction::plotting
