// The file form of a device model: every parameter a row with its value and its source.
#pragma once

#include "model/device_model.hpp"
#include "model/device_model_notes.hpp"

#include <string>
#include <string_view>

namespace overcast {

/// "drain", "fifo-by-issue", "fifo-by-readiness", "fair-share".
std::string_view to_string(CopyService service);
/// Throws ModelFileError, naming the known ones.
CopyService parse_copy_service(std::string_view name);

/// `origin` names the file in messages. Throws ModelFileError naming the parameter that is missing,
/// of the wrong type or unknown.
DeviceModel parse_device_model(std::string_view text, std::string_view origin);

/// The text of a device model file. A parameter without a note is marked as a default of
/// `defaults_of`. Throws ModelFileError for a note on a parameter that does not exist.
std::string device_model_json(const DeviceModel& model, const DeviceModelNotes& notes,
                              std::string_view defaults_of);

}  // namespace overcast
