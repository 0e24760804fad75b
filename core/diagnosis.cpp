#include "core/diagnosis.hpp"

namespace overcast {

std::string_view to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::saves: return "saves";
        case Verdict::nothing_to_gain: return "nothing-to-gain";
        case Verdict::not_priced: return "not-priced";
    }
    return "?";
}

}  // namespace overcast
