// Quantities as people read them; the same rules as report/human_units.cpp.

const kDurationUnits = [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]];

/** "873 ns", "12.35 µs", "10.40 ms": four significant digits. */
function formatDuration(nanoseconds) {
    const size = Math.abs(nanoseconds);
    for (const [unit, name] of kDurationUnits) {
        // 999.96 µs is 1.000 ms: what rounds up to the next unit belongs there.
        if (size >= unit * 0.99995) {
            const value = nanoseconds / unit;
            const whole = Math.max(1, Math.ceil(Math.log10(Math.abs(value) * 1.00005)));
            return `${value.toFixed(Math.max(0, 4 - whole))} ${name}`;
        }
    }
    return `${Math.round(nanoseconds)} ns`;
}

function formatMicroseconds(microseconds) {
    return formatDuration(microseconds * 1e3);
}

/** Axis labels: no more decimals than the step between two labels needs. */
function formatTick(nanoseconds, span) {
    const [unit, name] = kDurationUnits.find(([size]) => span >= size) ?? [1, "ns"];
    const value = nanoseconds / unit;
    const decimals = Math.max(0, Math.min(3, 1 - Math.floor(Math.log10(span / unit / 5))));
    return `${Number(value.toFixed(decimals))} ${name}`;
}

/** "512 B", "12 MiB", "1.25 GiB": powers of 1024, three significant digits. */
function formatBytes(bytes) {
    const units = ["B", "KiB", "MiB", "GiB", "TiB"];
    let value = bytes;
    let unit = 0;
    while (value >= 1024 && unit + 1 < units.length) {
        value /= 1024;
        unit += 1;
    }
    return `${Number(value.toPrecision(value >= 1000 ? 4 : 3))} ${units[unit]}`;
}

/** "scale" for "void overcast::(anonymous namespace)::scale<float>(float*)"; a copy keeps its words. */
function shortName(name) {
    const plain = name.replaceAll("(anonymous namespace)::", "");
    const head = plain.split(/[<(]/, 1)[0].trim();
    return head.replace(/^void /, "").split("::").at(-1) || plain;
}

const formatCount = (count) => count.toLocaleString("en-US");
const formatPercent = (share) => `${(share * 100).toFixed(0)} %`;
const formatFactor = (factor) => `${factor.toFixed(2)}×`;
const counted = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
