// A panel's columns (docs/html-report.md) as tracks: what lies in which row, in arrays that drawing
// can run through quickly.

const kGroups = ["stream", "engine", "host"];
const kMostLanes = 16;
const kKernelColours = [4, 7, 8, 9];  // kernels of different names differ

/** A kernel's name -> its colour, the same in all panels; the first kernels differ. */
function kernelColours(panels) {
    const colours = new Map();
    for (const { timeline: { kinds, names, operations } } of panels) {
        const kernel = kinds.indexOf("kernel");
        operations?.name.forEach((place, i) => {
            const name = names[place];
            if (operations.kind[i] === kernel && !colours.has(name)) {
                colours.set(name, kKernelColours[colours.size % kKernelColours.length]);
            }
        });
    }
    return colours;
}

/** Items of one track, which may overlap, in lanes without overlap. `items`: [start, end, …]. */
function lanesOf(items) {
    if (items.some((item, i) => i > 0 && items[i - 1].start > item.start)) {
        items.sort((a, b) => a.start - b.start || a.item - b.item);
    }
    const lanes = [];
    for (const item of items) {
        let lane = lanes[0]?.until <= item.start ? lanes[0] :
            lanes.find((one) => one.until <= item.start);
        if (!lane) {
            if (lanes.length < kMostLanes) {
                lanes.push({ until: 0, items: [] });
                lane = lanes.at(-1);
            } else {
                lane = lanes.reduce((least, one) => (one.until < least.until ? one : least));
            }
        }
        lane.items.push(item);
        lane.until = Math.max(lane.until, item.end);
    }
    return lanes.map(({ items: own }) => columnsOf(own));
}

function columnsOf(items) {
    const count = items.length;
    const lane = {
        start: new Float64Array(count), end: new Float64Array(count),
        colour: new Uint8Array(count), item: new Uint32Array(count),
    };
    items.forEach((one, i) => {
        lane.start[i] = one.start;
        lane.end[i] = one.end;
        lane.colour[i] = one.colour;
        lane.item[i] = one.item;
    });
    return lane;
}

/** Index of the first of `sorted` that is greater than `value`. */
function upperBound(sorted, value) {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (sorted[middle] <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

function trackLabel(group, index, engines) {
    if (group === "stream") {
        return `stream ${index}`;
    }
    return group === "host" ? `host ${index}` :
        { h2d: "H2D", d2h: "D2H", sm: "SMs" }[engines[index]];
}

class Tracks {
    constructor(timeline, colours) {
        this.kernelColours = colours;
        this.timeline = timeline;
        this.wall = timeline.wall_ns;
        this.byKey = new Map();
        if (timeline.operations) {
            this.addOperations(timeline.operations);
        } else {
            this.addBlocks(timeline.blocks);
        }
        this.list = this.inOrder();
        for (const track of this.list) {
            track.lanes = lanesOf(track.items);
            delete track.items;
            for (const lane of track.lanes) {
                this.wall = Math.max(this.wall, lane.end.at(-1) ?? 0);
            }
        }
        this.addWaits();
        this.findCrossings();
    }

    track(group, index) {
        const key = group * 1e6 + index;
        if (!this.byKey.has(key)) {
            this.byKey.set(key, {
                group: kGroups[group], index, items: [], waits: [],
                label: trackLabel(kGroups[group], index, this.timeline.engines),
            });
        }
        return this.byKey.get(key);
    }

    addOperations(columns) {
        const colours = this.timeline.names.map((name) => this.kernelColours.get(name));
        const host = this.timeline.engines.indexOf("host");
        for (let i = 0; i < columns.name.length; ++i) {
            const colour = colours[columns.name[i]] ?? columns.kind[i];
            if (columns.start_ns[i] !== null) {
                const item = { start: columns.start_ns[i], end: columns.end_ns[i], colour, item: i };
                this.track(0, columns.stream[i]).items.push(item);
                if (columns.engine[i] !== host) {
                    this.track(1, columns.engine[i]).items.push(item);
                }
            }
            this.track(2, columns.thread[i]).items.push({
                start: columns.call_start_ns[i], end: columns.call_end_ns[i],
                colour: columns.call_kind[i], item: i,
            });
        }
    }

    addBlocks(columns) {
        for (let i = 0; i < columns.kind.length; ++i) {
            this.track(columns.group[i], columns.track[i]).items.push({
                start: columns.start_ns[i], end: columns.end_ns[i], colour: columns.kind[i], item: i,
            });
        }
    }

    /** Streams, then engines in the order of the work's way, then the host. */
    inOrder() {
        const engines = ["h2d", "sm", "d2h"];
        const rank = (track) => (track.group === "engine" ?
            engines.indexOf(this.timeline.engines[track.index]) : track.index);
        return [...this.byKey.values()].sort((a, b) =>
            kGroups.indexOf(a.group) - kGroups.indexOf(b.group) || rank(a) - rank(b));
    }

    /** Each operation's wait on its stream: from when it was issued, or from when the stream was
        idle, to its start. */
    addWaits() {
        const columns = this.timeline.operations;
        if (!columns) {
            return;
        }
        const none = this.timeline.reasons.indexOf("none");
        const unknown = this.timeline.reasons.indexOf("unknown");
        for (const track of this.list.filter((one) => one.group === "stream")) {
            let idle = 0;
            for (const lane of track.lanes) {
                for (let i = 0; i < lane.item.length; ++i) {
                    const item = lane.item[i];
                    const from = Math.max(columns.call_end_ns[item], idle);
                    const reason = columns.waited_for[item];
                    if (from < lane.start[i] && reason !== none && reason !== unknown) {
                        track.waits.push({ start: from, end: lane.start[i] });
                    }
                    idle = Math.max(idle, lane.end[i]);
                }
            }
        }
    }

    /** Waits for an operation of another stream, by the start of the one that waits:
        {start: [time], awaited: [operation], waiting: [operation]}. */
    findCrossings() {
        const columns = this.timeline.operations;
        const waiting = columns ? columns.waited_operation.flatMap((other, i) =>
            (other !== null && columns.stream[other] !== columns.stream[i] ? [i] : [])) : [];
        waiting.sort((a, b) => columns.start_ns[a] - columns.start_ns[b]);
        this.crossings = {
            start: waiting.map((i) => columns.start_ns[i]), waiting,
            awaited: waiting.map((i) => columns.waited_operation[i]),
        };
    }

    /** How long operation `i` waited after it was issued. */
    waited(i) {
        const columns = this.timeline.operations;
        return Math.max(0, columns.start_ns[i] - columns.call_end_ns[i]);
    }

    /** Title and rows for a tooltip or the panel of what is selected. */
    describe(track, item) {
        return this.timeline.operations ? this.describeOperation(track, item) :
            this.describeBlock(track, item);
    }

    describeBlock(track, item) {
        const { kind, start_ns, end_ns, busy_ns, count } = this.timeline.blocks;
        return {
            title: `${counted(count[item], "operation")}: ${this.timeline.kinds[kind[item]]}`,
            rows: [
                ["from – to", `${formatDuration(start_ns[item])} – ${formatDuration(end_ns[item])}`],
                ["durations", `${formatDuration(busy_ns[item])} in all`],
                ["track", track.label],
            ],
        };
    }

    describeOperation(track, i) {
        const columns = this.timeline.operations;
        const names = this.timeline.names;
        if (track.group === "host") {
            const start = columns.call_start_ns[i];
            return {
                title: names[columns.call[i]],
                rows: [
                    ["duration", formatDuration(columns.call_end_ns[i] - start)],
                    ["from – to",
                     `${formatDuration(start)} – ${formatDuration(columns.call_end_ns[i])}`],
                    ["issues", columns.start_ns[i] === null ? "nothing for the device" :
                        `operation ${i}: ${names[columns.name[i]]}`],
                ],
            };
        }
        const duration = columns.end_ns[i] - columns.start_ns[i];
        const bytes = columns.bytes[i];
        const rows = [
            ["duration", formatDuration(duration)],
            ["from – to",
             `${formatDuration(columns.start_ns[i])} – ${formatDuration(columns.end_ns[i])}`],
        ];
        if (bytes !== null) {
            const rate = duration > 0 ? `, ${(bytes / duration).toFixed(1)} GB/s` : "";
            rows.push(["bytes", formatBytes(bytes) + rate]);
        }
        if (columns.shape[i] !== null) {
            rows.push(["launch", names[columns.shape[i]]]);
        }
        rows.push(["waited", this.waitInWords(i)]);
        rows.push(["where", `stream ${columns.stream[i]}, channel ${columns.channel[i]}, engine ` +
            this.timeline.engines[columns.engine[i]] +
            (columns.unit[i] === null ? "" : `, unit ${columns.unit[i]}`)]);
        return { title: `${names[columns.name[i]]}`, rows };
    }

    waitInWords(i) {
        const columns = this.timeline.operations;
        const reason = this.timeline.reasons[columns.waited_for[i]];
        const time = formatDuration(this.waited(i));
        if (reason === "none") {
            return "for nothing";
        }
        if (reason === "unknown") {
            return `${time} after its call; a recording does not tell for what`;
        }
        const other = columns.waited_operation[i];
        const after = other === null ? "" :
            `, behind ${this.timeline.names[columns.name[other]]} of stream ${columns.stream[other]}`;
        return `${time} for: ${reason}${after}`;
    }
}
