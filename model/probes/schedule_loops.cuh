// The loops of the probe `schedules`. Each loads what it works on, runs passes and gives a result,
// so that nothing is left out. `run` is a function by itself: its code is the same wherever it is
// called from, and nothing of the watch is mixed into it.
#pragma once

#include <cstdint>

namespace overcast::probes {

/// Bytes of the memory that loops read; the L2 holds it.
inline constexpr std::uint32_t kScheduleBytes = 8U << 20;
/// Words of shared memory that a loop has if it does not say so.
inline constexpr std::uint32_t kScheduleWords = 2048;

extern __shared__ std::uint32_t schedule_table[];

/// A pass: so many multiply-adds of each chain.
template <int kChains, int kSteps>
struct MultiplyAdds {
    float kept[kChains];

    __device__ void begin(std::uint32_t thread, const char*) {
        for (int i = 0; i < kChains; ++i) {
            kept[i] = (thread + i) * 1e-6f;
        }
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        float values[kChains];
        for (int i = 0; i < kChains; ++i) {
            values[i] = kept[i];
        }
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (int step = 0; step < kSteps; ++step) {
                for (int i = 0; i < kChains; ++i) {
                    values[i] = fmaf(values[i], values[i], -0.7f);
                }
            }
        }
        for (int i = 0; i < kChains; ++i) {
            kept[i] = values[i];
        }
    }
    __device__ std::uint32_t result() const {
        float sum = 0;
        for (int i = 0; i < kChains; ++i) {
            sum += kept[i];
        }
        return __float_as_uint(sum);
    }
};

/// A pass: four times a multiply-add of each chain of floats, and logic and an addition of each
/// chain of integers.
template <int kFloats, int kIntegers>
struct Mix {
    float kept_floats[kFloats];
    std::uint32_t kept_integers[kIntegers];

    __device__ void begin(std::uint32_t thread, const char*) {
        for (int i = 0; i < kFloats; ++i) {
            kept_floats[i] = (thread + i) * 1e-6f;
        }
        for (int i = 0; i < kIntegers; ++i) {
            kept_integers[i] = thread * 77 + i;
        }
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        float floats[kFloats];
        std::uint32_t integers[kIntegers];
        for (int i = 0; i < kFloats; ++i) {
            floats[i] = kept_floats[i];
        }
        for (int i = 0; i < kIntegers; ++i) {
            integers[i] = kept_integers[i];
        }
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (int step = 0; step < 4; ++step) {
                for (int i = 0; i < kFloats; ++i) {
                    floats[i] = fmaf(floats[i], floats[i], -0.7f);
                }
                for (int i = 0; i < kIntegers; ++i) {
                    integers[i] = (integers[i] ^ 0x9E3779B9U) + pass;
                }
            }
        }
        for (int i = 0; i < kFloats; ++i) {
            kept_floats[i] = floats[i];
        }
        for (int i = 0; i < kIntegers; ++i) {
            kept_integers[i] = integers[i];
        }
    }
    __device__ std::uint32_t result() const {
        float sum = 0;
        std::uint32_t total = 0;
        for (int i = 0; i < kFloats; ++i) {
            sum += kept_floats[i];
        }
        for (int i = 0; i < kIntegers; ++i) {
            total += kept_integers[i];
        }
        return __float_as_uint(sum) + total;
    }
};

/// A pass: four times three shifts and logic for one chain, eight times a rotation, an addition and
/// logic for each of several.
template <int kChains>
struct Integers {
    std::uint32_t kept[kChains];

    static __device__ std::uint32_t shifted(std::uint32_t x) {
        x ^= x << 13;
        x ^= x >> 17;
        return x ^ (x << 5);
    }
    static __device__ std::uint32_t rotated(std::uint32_t x) {
        return ((x << 7) | (x >> 25)) ^ (x + 0x9E3779B9U);
    }
    __device__ void begin(std::uint32_t thread, const char*) {
        for (int i = 0; i < kChains; ++i) {
            kept[i] = thread * 77 + i + 1;
        }
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        std::uint32_t values[kChains];
        for (int i = 0; i < kChains; ++i) {
            values[i] = kept[i];
        }
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (int step = 0; step < (kChains == 1 ? 4 : 8); ++step) {
                for (int i = 0; i < kChains; ++i) {
                    values[i] = kChains == 1 ? shifted(values[i]) : rotated(values[i]);
                }
            }
        }
        for (int i = 0; i < kChains; ++i) {
            kept[i] = values[i];
        }
    }
    __device__ std::uint32_t result() const {
        std::uint32_t total = 0;
        for (int i = 0; i < kChains; ++i) {
            total += kept[i];
        }
        return total;
    }
};

/// A pass: eight sines, each of what the one before gave.
struct Sines {
    float kept, shift;

    __device__ void begin(std::uint32_t thread, const char*) {
        shift = 0.5f + thread * 1e-7f;
        kept = shift;
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        float x = kept;
        float d = shift;
        float sum = 0;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (int step = 0; step < 8; ++step) {
                x = fmaf(0.75f, __sinf(x), d);
                sum += x;
            }
        }
        kept = x + sum * 1e-30f;
    }
    __device__ std::uint32_t result() const { return __float_as_uint(kept); }
};

/// A pass: four times a root and a power of two for each of two chains.
struct Roots {
    float kept_a, kept_b;

    static __device__ float next(float value) {
        float root;
        float power;
        asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(value + 1.5f));
        asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(-root));
        return power;
    }
    __device__ void begin(std::uint32_t thread, const char*) {
        kept_a = 0.5f + thread * 1e-7f;
        kept_b = kept_a + 0.5f;
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        float a = kept_a;
        float b = kept_b;
        float sum = 0;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            for (int step = 0; step < 4; ++step) {
                a = next(a);
                b = next(b);
                sum += a;
            }
        }
        kept_a = a + sum * 1e-30f;
        kept_b = b;
    }
    __device__ std::uint32_t result() const { return __float_as_uint(kept_a + kept_b); }
};

/// A pass: eight loads of a word of shared memory, or four of four words.
template <int kWords>
struct SharedLoads {
    static constexpr std::uint32_t kTable = kWords == 1 ? kScheduleWords : 4 * kScheduleWords;
    std::uint32_t kept, before;  // `before`: passes so far

    __device__ void begin(std::uint32_t thread, const char*) {
        kept = thread;
        before = 0;
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        constexpr int kLoads = kWords == 1 ? 8 : 4;
        constexpr std::uint32_t kPlaces = kTable / kWords / 2;
        std::uint32_t sum = kept;
        std::uint32_t first = before;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
#pragma unroll
            for (std::uint32_t i = 0; i < kLoads; ++i) {
                std::uint32_t at =
                    ((threadIdx.x + (first + pass) * 224) % kPlaces + i * (kPlaces / kLoads)) *
                    kWords;
                if (kWords == 1) {
                    sum = sum * 3 + schedule_table[at];
                } else {
                    uint4 loaded = *reinterpret_cast<const uint4*>(schedule_table + at);
                    sum = sum * 3 + (loaded.x ^ loaded.y ^ loaded.z ^ loaded.w);
                }
            }
        }
        kept = sum;
        before = first + passes;
    }
    __device__ std::uint32_t result() const { return kept; }
};

/// A pass: so many loads of 16 bytes from the L2 at once.
template <int kLoads>
struct Stream {
    uint4 kept;
    const uint4* data;
    std::uint32_t count, place, stride;

    __device__ void begin(std::uint32_t thread, const char* memory) {
        data = reinterpret_cast<const uint4*>(memory);
        count = kScheduleBytes / sizeof(uint4);
        place = thread % count;
        stride = gridDim.x * blockDim.x;
        kept = make_uint4(0, 0, 0, 0);
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        uint4 sum = kept;
        std::uint32_t at = place;
        std::uint32_t step = stride;
        std::uint32_t end = count;
        const uint4* from = data;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
            uint4 loaded[kLoads];
#pragma unroll
            for (int i = 0; i < kLoads; ++i) {
                loaded[i] = __ldcg(from + at);
                at += step;
                if (at >= end) {
                    at -= end;
                }
            }
#pragma unroll
            for (int i = 0; i < kLoads; ++i) {
                sum.x ^= loaded[i].x;
                sum.y += loaded[i].y;
                sum.z ^= loaded[i].z;
                sum.w += loaded[i].w;
            }
        }
        kept = sum;
        place = at;
    }
    __device__ std::uint32_t result() const { return kept.x + kept.y + kept.z + kept.w; }
};

/// A pass: four loads from the L2, each from where the one before says. A warp loads one word.
struct Chase {
    std::uint32_t place;
    const std::uint32_t* data;

    __device__ void begin(std::uint32_t thread, const char* memory) {
        data = reinterpret_cast<const std::uint32_t*>(memory);
        place = (thread >> 5) * 8 * 1237 % (kScheduleBytes / sizeof(std::uint32_t));
    }
    __device__ __noinline__ void run(std::uint32_t passes) {
        std::uint32_t at = place;
        for (std::uint32_t pass = 0; pass < passes; ++pass) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                at = __ldcg(data + at);
            }
        }
        place = at;
    }
    __device__ std::uint32_t result() const { return place; }
};

}  // namespace overcast::probes
