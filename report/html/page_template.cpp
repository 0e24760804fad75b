#include "report/html/page_template.hpp"

#ifdef OVERCAST_HAVE_HTML
// page_template.S
extern "C" const char overcast_page_template[];
extern "C" const char overcast_page_template_end[];
#endif

namespace overcast {

std::string_view page_template() {
#ifdef OVERCAST_HAVE_HTML
    return {overcast_page_template,
            static_cast<std::size_t>(overcast_page_template_end - overcast_page_template)};
#else
    return {};
#endif
}

}  // namespace overcast
