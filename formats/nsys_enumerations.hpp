// The enumerations of an Nsight Systems export, resolved through its own ENUM_ tables.
//
// Their numbers differ from CUPTI's (memory kinds are shifted by one) and from version to version.
#pragma once

#include "core/trace.hpp"
#include "formats/sqlite_database.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace overcast {

/// The end of an enumerator's name ("_PINNED"), the number that the documentation gives it, what it
/// means here. Of several ends that fit, the first one in a list counts.
template <typename Value>
struct NsysEnumerator {
    std::string_view ending;
    std::int64_t usual_number;
    Value value;
};

/// Number → meaning, for one enumeration of one file.
template <typename Value>
class NsysEnumeration {
public:
    template <std::size_t count>
    NsysEnumeration(const SqliteDatabase& database, std::string_view table,
                    const std::array<NsysEnumerator<Value>, count>& enumerators) {
        SqliteTable rows{database, table};
        const auto id = rows.column("id");
        const auto name = rows.column("name");
        while (rows.next()) {
            const auto given = rows.whole(id);
            const auto text = rows.text(name);
            for (const auto& known : enumerators) {
                if (given && text && text->ends_with(known.ending)) {
                    values_.try_emplace(*given, known.value);
                    given_ = true;
                    break;
                }
            }
        }
        if (!given_) {
            for (const auto& known : enumerators) {
                values_.try_emplace(known.usual_number, known.value);
            }
        }
    }

    /// False where the file does not say, and the documented numbers stand in.
    [[nodiscard]] bool given() const { return given_; }

    /// nullopt for NULL and for a number without a known name.
    [[nodiscard]] std::optional<Value> find(std::optional<std::int64_t> number) const {
        const auto found = number ? values_.find(*number) : values_.end();
        return found == values_.end() ? std::nullopt : std::optional{found->second};
    }

private:
    std::unordered_map<std::int64_t, Value> values_;
    bool given_ = false;
};

/// What a row of the table of copies is: a copy that a call asked for, or pages that moved by
/// themselves.
struct NsysCopyKind {
    CopyKind kind{};
    bool is_migration = false;
};

enum class NsysRange : std::uint8_t { other, push_pop, start_end };

struct NsysEnumerations {
    explicit NsysEnumerations(const SqliteDatabase& database);

    NsysEnumeration<NsysCopyKind> copies;
    NsysEnumeration<MemoryKind> memory;
    NsysEnumeration<SynchronisationKind> synchronisations;
    NsysEnumeration<OverheadKind> overheads;
    NsysEnumeration<StreamFlag> streams;
    NsysEnumeration<NsysRange> ranges;
    NsysEnumeration<ApiDomain> calls;
    NsysEnumeration<bool> releases;  ///< true: memory was released
    NsysEnumeration<bool> troubles;  ///< true: a diagnostic message of weight
};

}  // namespace overcast
