// What `compare` says: two runs side by side, as a whole, by kind, and the operations that differ most.

/** "−3.0 %" of `left`. */
function changeWords(left, right) {
    if (left <= 0) {
        return right <= 0 ? "0.0 %" : "–";
    }
    const percent = Number(((right - left) / left * 100).toFixed(1));
    return `${percent > 0 ? "+" : percent < 0 ? "−" : ""}${Math.abs(percent).toFixed(1)} %`;
}

function shiftWords(microseconds) {
    return `${microseconds < 0 ? "−" : "+"}${formatMicroseconds(Math.abs(microseconds))}`;
}

const countsWords = (left, right) =>
    left === right ? formatCount(left) : `${formatCount(left)} / ${formatCount(right)}`;

const sideColumns = ({ left, right }) =>
    [{ title: left.label }, { title: right.label }, { title: "Difference" }];

function totalsTable(comparison) {
    const { left, right } = comparison;
    const time = (name, key) => [name, formatMicroseconds(left[key]), formatMicroseconds(right[key]),
                                 changeWords(left[key], right[key])];
    const share = (name, key) => [name, formatPercent(left[key]), formatPercent(right[key]), ""];
    const count = (name, key) => [name, formatCount(left[key]), formatCount(right[key]), ""];
    return table("The whole", [{ title: "Whole", text: true }, ...sideColumns(comparison)], [
        time("makespan", "makespan_us"),
        time("device, first start to last end", "device_us"),
        time("in calls that wait", "waiting_us"),
        share("share of host time", "host_share"),
        share("share of device time", "device_share"),
        count("operations", "operations"),
        count("streams", "streams"),
        count("host threads", "threads"),
    ].map((cells) => ({ cells })));
}

/** Of kinds and of waits: both have a count and a time on either side. */
function countedTimesTable(caption, title, rows, nameOf, comparison) {
    const columns = [{ title, text: true, name: true }, { title: "Count" },
                     ...sideColumns(comparison)];
    return table(caption, columns, rows.map((row) => ({
        cells: [nameOf(row), countsWords(row.left_count, row.right_count),
                formatMicroseconds(row.left_us), formatMicroseconds(row.right_us),
                changeWords(row.left_us, row.right_us)],
    })));
}

const kAgreementWords = {
    start_delay: "start of the call to start on the device",
    waiting_calls: "duration of calls that wait",
    held_up_launches: "duration of launches into a full queue",
};

function agreementsTable(caption, known, comparison) {
    const columns = [{ title: "Time", text: true }, { title: "Pairs" }, { title: "Median" },
                     { title: "90 % within" }];
    const percent = (share) => `${(share * 100).toFixed(1)} %`;
    return table(caption, columns, known.map((key) => {
        const { pairs, median, p90 } = comparison[key];
        return { cells: [kAgreementWords[key], formatCount(pairs), percent(median), percent(p90)] };
    }));
}

const startOf = (times) => times.device_start_us ?? times.call_start_us;
const lengthOf = (times) => times.device_end_us === null ?
    times.call_end_us - times.call_start_us : times.device_end_us - times.device_start_us;

function comparedName({ kind, name, amount, ordinal }) {
    const words = kind === "call" ? name :
        kind === "kernel" ? shortName(name) : `${kind}, ${formatBytes(amount)}`;
    return `${words} #${ordinal + 1}`;
}

function comparedTable(caption, operations, measure, comparison) {
    const columns = [{ title: "Operation", text: true, name: true }, { title: "Stream" },
                     ...sideColumns(comparison)];
    const stream = (id) => (id === null ? "–" : String(id));
    return table(caption, columns, operations.map((operation) => {
        const [left, right] = [measure(operation.left), measure(operation.right)];
        const streams = [stream(operation.left_stream), stream(operation.right_stream)];
        return { cells: [comparedName(operation), [...new Set(streams)].join(" / "),
                         formatMicroseconds(left), formatMicroseconds(right),
                         shiftWords(right - left)] };
    }));
}

function unmatchedTable(caption, groups) {
    const columns = [{ title: "Operation", text: true, name: true }, { title: "Count" },
                     { title: "Time" }];
    return table(caption, columns, groups.map(({ what, count, time_us }) => ({
        cells: [what, formatCount(count), formatMicroseconds(time_us)],
    })));
}

function drawComparison(host, { comparison, moved, changed, only_left, only_right }) {
    const { left, right } = comparison;
    host.append(facts([[left.label, left.title], [right.label, right.title]]));
    const add = (title, rows, draw) => {
        if (rows.length > 0) {
            host.append(element("h3", {}, title), draw(title));
        }
    };
    add("The whole", [left], () => totalsTable(comparison));
    const agreements = Object.keys(kAgreementWords).filter((key) => comparison[key] !== null);
    add("Difference, operation by operation", agreements, (title) =>
        agreementsTable(title, agreements, comparison));
    add("Device time by kind", comparison.kinds, (title) =>
        countedTimesTable(title, "Kind", comparison.kinds, ({ kind }) => kind, comparison));
    add("Calls that wait for the device", comparison.waits, (title) =>
        countedTimesTable(title, "Call", comparison.waits, ({ call }) => call, comparison));
    add("Starts that moved most, counted from the start of the region", moved, (title) =>
        comparedTable(title, moved, startOf, comparison));
    add("Durations that changed most: on the device, of a wait in its call", changed, (title) =>
        comparedTable(title, changed, lengthOf, comparison));
    add(`Only ${left.label}`, only_left, (title) => unmatchedTable(title, only_left));
    add(`Only ${right.label}`, only_right, (title) => unmatchedTable(title, only_right));
}
