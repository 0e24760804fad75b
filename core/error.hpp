// What can go wrong, caught once in cli/main.cpp and printed as one `error:` line.
#pragma once

#include <stdexcept>
#include <string>

namespace overcast {

/// The ancestor. The message says what failed, where, why, and what to do.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A recording cannot be read. Message: file, position, reason.
class TraceFormatError : public Error {
public:
    using Error::Error;
};

/// A device model file cannot be read or lacks a parameter.
class ModelFileError : public Error {
public:
    using Error::Error;
};

/// A CUDA, CUPTI or NVML call failed.
class CudaError : public Error {
public:
    using Error::Error;
};

/// The command line is wrong: exit code 2.
class UsageError : public Error {
public:
    using Error::Error;
};

}  // namespace overcast
