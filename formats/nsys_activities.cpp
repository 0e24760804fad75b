#include "formats/nsys_activities.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace overcast {
namespace {

/// The columns of everything that a device does.
class ActivityColumns {
public:
    ActivityColumns(NsysSource& source, SqliteTable& table)
        : source_{source},
          table_{table},
          shared_{source, table},
          graph_{table.column("graphId")},
          node_{table.column("graphNodeId")} {}

    /// The activity but for what it is; nullopt for a row without times.
    std::optional<DeviceActivity> read() {
        const auto span = shared_.span();
        if (!span) {
            return std::nullopt;
        }
        DeviceActivity activity;
        activity.start = span->start;
        activity.end = span->end;
        activity.correlation = shared_.correlation();
        activity.device = shared_.device();
        activity.context = shared_.context();
        activity.stream = shared_.stream().value_or(StreamId{});
        // Zero is CUPTI's way to say "not from a graph".
        if (const auto graph = table_.id<GraphId>(graph_); graph && number(*graph) != 0) {
            activity.graph = graph;
        }
        if (const auto node = table_.id<GraphNodeId>(node_); node && number(*node) != 0) {
            activity.graph_node = node;
        }
        return activity;
    }

    /// To be called behind the last row.
    void warn() const {
        if (shared_.unclaimed() > 0) {
            add_warning(source_.trace.warnings,
                        {.code = "no-process",
                         .text = fmt::format("{} device activities do not say which of the "
                                             "processes they belong to: no call is joined to them.",
                                             shared_.unclaimed())});
        }
    }

private:
    NsysSource& source_;
    SqliteTable& table_;
    NsysColumns shared_;
    SqliteColumn graph_;
    SqliteColumn node_;
};

void read_kernels(NsysSource& source) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_KERNEL"};
    ActivityColumns shared{source, table};
    const auto extent = [&](const std::array<SqliteColumn, 3>& columns) {
        const auto along = [&](SqliteColumn column) {
            // Zero is what a recorder gives for a cluster that was not asked for.
            return std::max<std::uint32_t>(table.number<std::uint32_t>(column).value_or(1), 1);
        };
        return Extent{along(columns[0]), along(columns[1]), along(columns[2])};
    };
    const auto columns = [&](std::string_view x, std::string_view y, std::string_view z) {
        return std::array{table.column(x), table.column(y), table.column(z)};
    };
    const std::array names{table.column("demangledName"), table.column("shortName"),
                           table.column("mangledName")};
    const auto grid = columns("gridX", "gridY", "gridZ");
    const auto block = columns("blockX", "blockY", "blockZ");
    const auto cluster = columns("clusterX", "clusterY", "clusterZ");
    const auto registers = table.column("registersPerThread");
    const auto static_memory = table.column("staticSharedMemory");
    const auto dynamic_memory = table.column("dynamicSharedMemory");
    const auto executed_memory = table.column("sharedMemoryExecuted");
    const auto bytes = [&](SqliteColumn column) {
        return Bytes{table.number<std::uint32_t>(column).value_or(0)};
    };
    while (table.next()) {
        auto activity = shared.read();
        if (!activity) {
            continue;
        }
        std::optional<std::string_view> name;
        for (const auto column : names) {
            name = name ? name : source.string(table.whole(column));
        }
        activity->what = TracedKernel{
            .name = source.trace.names.intern(name.value_or("(unnamed kernel)")),
            .shape = {.grid = extent(grid),
                      .block = extent(block),
                      .cluster = extent(cluster),
                      .registers_per_thread = table.number<std::uint32_t>(registers).value_or(0),
                      .static_shared_memory = bytes(static_memory),
                      .dynamic_shared_memory = bytes(dynamic_memory),
                      .executed_shared_memory = bytes(executed_memory)}};
        source.trace.activities.push_back(*std::move(activity));
    }
    shared.warn();
    if (table.row() > 0 && !table.has("registersPerThread")) {
        add_warning(source.trace.warnings,
                    {.code = "no-kernel-resources",
                     .text = "the export does not say which registers and shared memory kernels "
                             "use: only their threads limit how many blocks fit an SM."});
    }
}

/// Rows of a table of copies that are none here.
struct LeftOut {
    std::uint64_t migrations = 0;
    std::uint64_t unknown = 0;

    void warn(Warnings& warnings) const {
        if (migrations > 0) {
            add_warning(warnings,
                        {.code = "managed-memory",
                         .text = fmt::format("{} migrations of managed memory are left out: moves "
                                             "of pages are not modelled.",
                                             migrations)});
        }
        if (unknown > 0) {
            add_warning(warnings, {.code = "unknown-copies",
                                   .text = fmt::format("{} copies are of a kind that is not known, "
                                                       "and are left out.",
                                                       unknown)});
        }
    }
};

void warn_of_assumed_numbers(NsysSource& source, bool given, std::string_view what) {
    if (!given) {
        add_warning(source.trace.warnings,
                    {.code = "assumed-enumeration",
                     .text = fmt::format("the export does not say what its numbers for {} mean: "
                                         "the documented ones are taken. Export with a newer nsys "
                                         "to be sure.",
                                         what)});
    }
}

void read_copies(NsysSource& source, std::vector<std::size_t>& undetermined) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_MEMCPY"};
    ActivityColumns shared{source, table};
    const auto bytes = table.column("bytes");
    const auto kind = table.column("copyKind");
    const auto from = table.column("srcKind");
    const auto to = table.column("dstKind");
    const auto memory = [&](SqliteColumn column) {
        return source.enumerations.memory.find(table.whole(column)).value_or(MemoryKind::unknown);
    };
    LeftOut left_out;
    while (table.next()) {
        const auto what = source.enumerations.copies.find(table.whole(kind));
        if (!what || what->is_migration) {
            ++(what ? left_out.migrations : left_out.unknown);
            continue;
        }
        if (auto activity = shared.read()) {
            activity->what =
                TracedCopy{.kind = what->kind,
                           .source = memory(from),
                           .destination = memory(to),
                           .bytes = Bytes{table.number<std::uint64_t>(bytes).value_or(0)},
                           .source_address = std::nullopt,
                           .destination_address = std::nullopt};
            undetermined.push_back(source.trace.activities.size());
            source.trace.activities.push_back(*std::move(activity));
        }
    }
    shared.warn();
    left_out.warn(source.trace.warnings);
    if (table.row() > 0) {
        warn_of_assumed_numbers(source, source.enumerations.copies.given(), "copies");
        warn_of_assumed_numbers(source, source.enumerations.memory.given(), "memory");
    }
}

void read_memsets(NsysSource& source, std::vector<std::size_t>& undetermined) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_MEMSET"};
    ActivityColumns shared{source, table};
    const auto bytes = table.column("bytes");
    const auto value = table.column("value");
    while (table.next()) {
        if (auto activity = shared.read()) {
            activity->what =
                TracedMemset{.bytes = Bytes{table.number<std::uint64_t>(bytes).value_or(0)},
                             .value = table.number<std::uint32_t>(value).value_or(0),
                             .address = std::nullopt};
            undetermined.push_back(source.trace.activities.size());
            source.trace.activities.push_back(*std::move(activity));
        }
    }
    shared.warn();
}

void warn_of_whole_graphs(NsysSource& source) {
    SqliteTable table{source.database, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"};
    while (table.next()) {
    }
    if (table.row() > 0) {
        add_warning(source.trace.warnings,
                    {.code = "whole-graphs",
                     .text = fmt::format("{} launches of CUDA graphs were recorded as a whole and "
                                         "are missing here: record with nsys profile "
                                         "--cuda-graph-trace=node.",
                                         table.row())});
    }
}

}  // namespace

std::vector<std::size_t> read_nsys_activities(NsysSource& source) {
    std::vector<std::size_t> undetermined;
    read_kernels(source);
    read_copies(source, undetermined);
    read_memsets(source, undetermined);
    warn_of_whole_graphs(source);
    return undetermined;
}

}  // namespace overcast
