// picture_sheet.h - small pictures of one size beside each other in one texture: however many are
// shown, they are drawn at once.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "draw/image.h"

namespace stiction {

class PictureSheet {
  public:
    // Pictures of another size than this one are left empty.
    PictureSheet(int width, int height, const std::vector<Image>& pictures);
    ~PictureSheet();
    PictureSheet(const PictureSheet&) = delete;
    PictureSheet& operator=(const PictureSheet&) = delete;

    [[nodiscard]] unsigned texture() const;
    // Left, top, right, bottom of a picture in the texture, as parts of it.
    [[nodiscard]] std::array<float, 4> place(std::size_t picture) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace stiction
