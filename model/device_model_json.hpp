// The file form of a device model: every parameter a row with its value and its source.
#pragma once

#include "model/device_model.hpp"

#include <string_view>

namespace overcast {

/// `origin` names the file in messages. Throws ModelFileError naming the parameter that is missing,
/// of the wrong type or unknown.
DeviceModel parse_device_model(std::string_view text, std::string_view origin);

}  // namespace overcast
