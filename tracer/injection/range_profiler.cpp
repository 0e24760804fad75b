#include "tracer/injection/range_profiler.hpp"

#include <algorithm>

namespace overcast::injection {
namespace {

/// CUPTI's parameter structures begin with their own size.
template <typename Parameters>
Parameters sized(std::size_t size) {
    Parameters parameters{};
    parameters.structSize = size;
    return parameters;
}

/// In words, where there is something that the user can do about it.
const char* advice(CUptiResult result) {
    switch (result) {
        case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
            return "this user may not read the GPU's counters: run as root, or have the NVIDIA "
                   "driver loaded with NVreg_RestrictProfilingToAdminUsers=0 "
                   "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)";
        case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
            return "the GPU is in confidential-computing mode, which allows no counters";
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
        case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
            return "this virtual GPU allows no counters: ask who runs it to permit profiling";
        case CUPTI_ERROR_HARDWARE_BUSY:
            return "another profiler holds the GPU's counters (DCGM, ncu, nsys?): stop it";
        default: return nullptr;
    }
}

}  // namespace

RangeProfiler::RangeProfiler(const CuptiLibrary& cupti, const ProfilerFunctions& functions)
    : cupti_{cupti}, call_{functions} {}

RangeProfiler::~RangeProfiler() {
    if (profiler_ != nullptr) {
        auto parameters = sized<CUpti_RangeProfiler_Disable_Params>(
            CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE);
        parameters.pRangeProfilerObject = profiler_;
        call_.disable(&parameters);
    }
    close_host();
}

void RangeProfiler::close_host() {
    if (host_ != nullptr) {
        auto parameters = sized<CUpti_Profiler_Host_Deinitialize_Params>(
            CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE);
        parameters.pHostObject = host_;
        call_.host_deinitialise(&parameters);
        host_ = nullptr;
    }
}

bool RangeProfiler::done(CUptiResult result, const char* what, std::string& reason) const {
    if (result == CUPTI_SUCCESS) {
        return true;
    }
    if (const auto* const text = advice(result)) {
        reason = text;
        return false;
    }
    const char* name = nullptr;
    cupti_.get_result_string(result, &name);
    reason = std::string(what) + " failed: " + (name == nullptr ? "unknown error" : name) + " (" +
             std::to_string(result) + "): this machine does not give hardware counters to " +
             cupti_.path;
    return false;
}

std::unique_ptr<RangeProfiler> RangeProfiler::of_context(const CuptiLibrary& cupti,
                                                         const ProfilerFunctions& functions,
                                                         CUcontext context, std::string& reason) {
    std::unique_ptr<RangeProfiler> profiler{new RangeProfiler(cupti, functions)};
    return profiler->set_up(context, reason) ? std::move(profiler) : nullptr;
}

bool RangeProfiler::set_up(CUcontext context, std::string& reason) {
    auto initialise =
        sized<CUpti_Profiler_Initialize_Params>(CUpti_Profiler_Initialize_Params_STRUCT_SIZE);
    if (!done(call_.initialise(&initialise), "preparing the profiler", reason) ||
        !read_chip(context, reason) || !choose_metrics(reason) || !make_config(reason)) {
        return false;
    }
    auto enable =
        sized<CUpti_RangeProfiler_Enable_Params>(CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE);
    enable.ctx = context;
    if (!done(call_.enable(&enable), "switching on the counters", reason)) {
        return false;
    }
    profiler_ = enable.pRangeProfilerObject;
    return make_counter_data(reason);
}

bool RangeProfiler::read_chip(CUcontext context, std::string& reason) {
    std::uint32_t device = 0;
    if (!done(call_.device_id(context, &device), "finding the GPU", reason)) {
        return false;
    }
    auto chip = sized<CUpti_Device_GetChipName_Params>(CUpti_Device_GetChipName_Params_STRUCT_SIZE);
    chip.deviceIndex = device;
    if (!done(call_.chip_name(&chip), "naming the GPU's chip", reason)) {
        return false;
    }
    chip_ = chip.pChipName;
    auto availability = sized<CUpti_Profiler_GetCounterAvailability_Params>(
        CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE);
    availability.ctx = context;
    if (!done(call_.counter_availability(&availability), "asking for the counters", reason)) {
        return false;
    }
    availability_.resize(availability.counterAvailabilityImageSize);
    availability.pCounterAvailabilityImage = availability_.data();
    return done(call_.counter_availability(&availability), "asking for the counters", reason);
}

bool RangeProfiler::open_host(std::string& reason) {
    auto parameters = sized<CUpti_Profiler_Host_Initialize_Params>(
        CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
    parameters.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    parameters.pChipName = chip_.c_str();
    parameters.pCounterAvailabilityImage = availability_.data();
    if (!done(call_.host_initialise(&parameters), "preparing the counters", reason)) {
        return false;
    }
    host_ = parameters.pHostObject;
    return true;
}

/// Tries one by one, so that a device that lacks one still gives the others; adds them together,
/// since what is added later gets passes of its own.
bool RangeProfiler::choose_metrics(std::string& reason) {
    if (!open_host(reason)) {
        return false;
    }
    for (const auto& metric : injection::metrics()) {
        const auto known = std::ranges::any_of(
            metrics_, [&](const Metric& chosen) { return chosen.counter == metric.counter; });
        if (!known && add_metrics({metric.name}) == CUPTI_SUCCESS) {
            metrics_.push_back(metric);
            names_.push_back(metric.name);
        }
    }
    close_host();
    if (metrics_.empty()) {
        reason = "the GPU (" + chip_ + ") has none of the counters that are read";
        return false;
    }
    return open_host(reason) && done(add_metrics(names_), "configuring the counters", reason);
}

CUptiResult RangeProfiler::add_metrics(std::vector<const char*> names) {
    auto parameters = sized<CUpti_Profiler_Host_ConfigAddMetrics_Params>(
        CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE);
    parameters.pHostObject = host_;
    parameters.ppMetricNames = names.data();
    parameters.numMetrics = names.size();
    return call_.add_metrics(&parameters);
}

bool RangeProfiler::make_config(std::string& reason) {
    auto size = sized<CUpti_Profiler_Host_GetConfigImageSize_Params>(
        CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE);
    size.pHostObject = host_;
    if (!done(call_.config_image_size(&size), "configuring the counters", reason)) {
        return false;
    }
    config_.resize(size.configImageSize);
    auto image = sized<CUpti_Profiler_Host_GetConfigImage_Params>(
        CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE);
    image.pHostObject = host_;
    image.pConfigImage = config_.data();
    image.configImageSize = config_.size();
    if (!done(call_.config_image(&image), "configuring the counters", reason)) {
        return false;
    }
    auto passes = sized<CUpti_Profiler_Host_GetNumOfPasses_Params>(
        CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE);
    passes.pConfigImage = config_.data();
    passes.configImageSize = config_.size();
    if (!done(call_.number_of_passes(&passes), "configuring the counters", reason)) {
        return false;
    }
    passes_ = passes.numOfPasses;
    return true;
}

bool RangeProfiler::make_counter_data(std::string& reason) {
    auto size = sized<CUpti_RangeProfiler_GetCounterDataSize_Params>(
        CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE);
    size.pRangeProfilerObject = profiler_;
    size.pMetricNames = names_.data();
    size.numMetrics = names_.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    if (!done(call_.counter_data_size(&size), "making room for the counters", reason)) {
        return false;
    }
    counter_data_.resize(size.counterDataSize);
    return true;
}

/// An image holds one launch: cleared before each, so that their number has no limit.
bool RangeProfiler::clear_counter_data(std::string& reason) {
    auto initialise = sized<CUpti_RangeProfiler_CounterDataImage_Initialize_Params>(
        CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE);
    initialise.pRangeProfilerObject = profiler_;
    initialise.pCounterData = counter_data_.data();
    initialise.counterDataSize = counter_data_.size();
    if (!done(call_.initialise_counter_data(&initialise), "making room for the counters", reason)) {
        return false;
    }
    auto config = sized<CUpti_RangeProfiler_SetConfig_Params>(
        CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE);
    config.pRangeProfilerObject = profiler_;
    config.pConfig = config_.data();
    config.configSize = config_.size();
    config.pCounterDataImage = counter_data_.data();
    config.counterDataImageSize = counter_data_.size();
    config.range = CUPTI_AutoRange;
    config.replayMode = CUPTI_KernelReplay;
    config.maxRangesPerPass = 1;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.passIndex = 0;
    config.targetNestingLevel = 0;
    return done(call_.set_config(&config), "configuring the counters", reason);
}

bool RangeProfiler::start(std::string& reason) {
    if (!clear_counter_data(reason)) {
        return false;
    }
    auto parameters =
        sized<CUpti_RangeProfiler_Start_Params>(CUpti_RangeProfiler_Start_Params_STRUCT_SIZE);
    parameters.pRangeProfilerObject = profiler_;
    return done(call_.start(&parameters), "starting the counters", reason);
}

std::optional<CounterValues> RangeProfiler::stop(std::string& reason) {
    auto stop = sized<CUpti_RangeProfiler_Stop_Params>(CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE);
    stop.pRangeProfilerObject = profiler_;
    if (!done(call_.stop(&stop), "stopping the counters", reason)) {
        return std::nullopt;
    }
    auto decode = sized<CUpti_RangeProfiler_DecodeData_Params>(
        CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE);
    decode.pRangeProfilerObject = profiler_;
    if (!done(call_.decode(&decode), "reading the counters", reason)) {
        return std::nullopt;
    }
    auto information = sized<CUpti_RangeProfiler_GetCounterDataInfo_Params>(
        CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE);
    information.pCounterDataImage = counter_data_.data();
    information.counterDataImageSize = counter_data_.size();
    if (!done(call_.counter_data_info(&information), "reading the counters", reason)) {
        return std::nullopt;
    }
    CounterValues values;
    if (information.numTotalRanges == 0 || !evaluate(values, reason)) {
        return std::nullopt;  // the launch failed: nothing ran
    }
    return values;
}

bool RangeProfiler::evaluate(CounterValues& values, std::string& reason) {
    std::vector<double> read(metrics_.size());
    auto parameters = sized<CUpti_Profiler_Host_EvaluateToGpuValues_Params>(
        CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE);
    parameters.pHostObject = host_;
    parameters.pCounterDataImage = counter_data_.data();
    parameters.counterDataImageSize = counter_data_.size();
    parameters.rangeIndex = 0;
    parameters.ppMetricNames = names_.data();
    parameters.numMetrics = names_.size();
    parameters.pMetricValues = read.data();
    if (!done(call_.evaluate(&parameters), "evaluating the counters", reason)) {
        return false;
    }
    for (std::size_t i = 0; i < metrics_.size(); ++i) {
        values[static_cast<std::size_t>(metrics_[i].counter)] = read[i] * metrics_[i].scale;
    }
    return true;
}

}  // namespace overcast::injection
