// Draws tracks on a canvas: only what is in view, and of operations within one pixel only one.

const kMargin = { top: 26, right: 12, bottom: 40 };
const kPanelHeight = 26;
const kTrackGap = 2;
const kWaitColour = 6;  // of calls that wait: too light for light letters

/** Panels and their tracks from top to bottom, in pixels. */
function layRows(panels) {
    const rows = [];
    let top = kMargin.top;
    const streams = Math.max(...panels.map(({ tracks }) =>
        tracks.list.filter((track) => track.group === "stream").length));
    const plain = streams > 24 ? 12 : streams > 12 ? 16 : 20;
    panels.forEach((panel, index) => {
        rows.push({ title: panel.title, top, height: kPanelHeight });
        top += kPanelHeight;
        let group = null;
        for (const track of panel.tracks.list) {
            if (group !== null && group !== track.group) {
                top += 6;
            }
            group = track.group;
            const height = Math.max(plain, Math.min(track.lanes.length * 7, 64));
            rows.push({ track, panel: index, top, height });
            top += height + kTrackGap;
        }
        top += 8;
    });
    return { rows, height: top + kMargin.bottom };
}

class TimelineCanvas {
    constructor(panels) {
        this.panels = panels;
        Object.assign(this, layRows(panels));
        this.rowOf = panels.map((_, index) => new Map(this.rows
            .filter((row) => row.track && row.panel === index)
            .map((row) => [`${row.track.group} ${row.track.index}`, row])));
        this.dependencies = true;
        this.selected = null;  // {row, lane, at}
        this.hovered = null;
        this.takeColours();
    }

    takeColours() {
        this.kinds = Array.from({ length: 10 }, (_, i) => theme.colour(`kind-${i}`));
        this.colours = Object.fromEntries(
            ["text", "faint", "line", "stripe", "wait", "accent", "on-kind"]
                .map((name) => [name, theme.colour(name)]));
        this.font = getComputedStyle(document.body).fontFamily;
    }

    x(time) {
        return this.left + ((time - this.from) / (this.to - this.from)) * this.width;
    }

    timeAt(x) {
        return this.from + ((x - this.left) / this.width) * (this.to - this.from);
    }

    /** plot: {left, width} in pixels, from and to: the times in view. */
    see(plot, from, to) {
        Object.assign(this, plot, { from, to });
    }

    draw(context) {
        context.save();
        context.textBaseline = "middle";
        context.textAlign = "left";
        for (const row of this.rows) {
            this.drawLabel(context, row);
        }
        context.beginPath();
        context.rect(this.left, 0, this.width, this.height);
        context.clip();
        this.drawn = 0;
        for (const row of this.rows) {
            if (row.track) {
                this.drawTrack(context, row);
            }
        }
        this.drawArrows(context);
        this.drawMark(context, this.hovered, this.colours.text, 1);
        this.drawMark(context, this.selected, this.colours.text, 2);
        context.restore();
    }

    drawLabel(context, row) {
        const middle = row.top + row.height / 2;
        if (row.title !== undefined) {
            context.font = `600 12px ${this.font}`;
            context.fillStyle = this.colours.text;
            context.fillText(row.title, 2, middle, this.left + this.width);
            return;
        }
        context.fillStyle = this.colours.stripe;
        context.fillRect(this.left, row.top, this.width, row.height);
        context.font = `${row.height < 13 ? 9 : 11}px ${this.font}`;
        context.fillStyle = this.colours.faint;
        context.fillText(row.track.label, 2, middle, this.left - 6);
    }

    drawTrack(context, row) {
        context.fillStyle = this.colours.wait;
        const { waits } = row.track;
        let covered = -1;
        for (const wait of waits) {
            const x = this.x(wait.start);
            const end = this.x(wait.end);
            if (end > covered && end >= this.left && x <= this.left + this.width) {
                context.fillRect(x, row.top + row.height / 2 - 1, Math.max(1, end - x), 2);
                covered = Math.ceil(end);
            }
        }
        const height = row.height / row.track.lanes.length;
        row.track.lanes.forEach((lane, i) =>
            this.drawLane(context, row, lane, row.top + i * height, height));
    }

    drawLane(context, row, lane, top, height) {
        const labels = [];
        const count = lane.start.length;
        const scale = this.width / (this.to - this.from);
        let covered = -1;  // the last whole pixel that has colour
        let colour = -1;
        for (let i = upperBound(lane.end, this.from); i < count && lane.start[i] < this.to; ++i) {
            const x = this.left + (lane.start[i] - this.from) * scale;
            const end = this.left + (lane.end[i] - this.from) * scale;
            if (end <= covered) {
                continue;
            }
            const width = Math.max(1, end - x);
            if (lane.colour[i] !== colour) {
                colour = lane.colour[i];
                context.fillStyle = this.kinds[colour];
            }
            context.fillRect(x, top, width > 3 ? width - 0.6 : width, height - 0.5);
            ++this.drawn;
            covered = Math.floor(x + width);
            if (width > 34 && height >= 12) {
                labels.push(i);
            }
        }
        if (labels.length > 0 && this.panels[row.panel].tracks.timeline.operations) {
            this.drawNames(context, row, lane, top + height / 2, labels);
        }
    }

    drawNames(context, row, lane, middle, labels) {
        const { operations, names } = this.panels[row.panel].tracks.timeline;
        context.font = `11px ${this.font}`;
        for (const i of labels) {
            context.fillStyle = this.colours[lane.colour[i] === kWaitColour ? "text" : "on-kind"];
            const from = Math.max(this.x(lane.start[i]), this.left);
            const room = Math.min(this.x(lane.end[i]), this.left + this.width) - from - 8;
            const name = shortName(names[(row.track.group === "host" ? operations.call :
                operations.name)[lane.item[i]]]).replace(/^Memcpy /, "");
            const letters = Math.floor(room / 6.6);
            if (letters >= 3) {
                context.fillText(name.length > letters ? `${name.slice(0, letters - 1)}…` : name,
                    from + 4, middle + 0.5);
            }
        }
    }

    /** Where operation `item` of a panel lies on its stream: {x of start, x of end, y}. */
    place(panel, item) {
        const columns = this.panels[panel].tracks.timeline.operations;
        const row = this.rowOf[panel].get(`stream ${columns.stream[item]}`);
        return {
            start: this.x(columns.start_ns[item]), end: this.x(columns.end_ns[item]),
            y: row.top + row.height / 2,
        };
    }

    /** Waits for another stream's operation that are in view; null: too many to draw. */
    arrowsInView(panel, most) {
        const { start, awaited, waiting } = this.panels[panel].tracks.crossings;
        const first = upperBound(start, this.from);
        const count = upperBound(start, this.to) - first;
        return count > most ? null :
            Array.from({ length: count }, (_, i) => [awaited[first + i], waiting[first + i]]);
    }

    drawArrows(context) {
        context.lineWidth = 1;
        this.tooManyArrows = false;
        if (this.dependencies) {
            context.strokeStyle = context.fillStyle = this.colours.wait;
            context.globalAlpha = 0.7;
            this.panels.forEach((_, panel) => {
                const arrows = this.arrowsInView(panel, 250);
                this.tooManyArrows ||= arrows === null;
                arrows?.forEach(([from, to]) => this.drawArrow(context, panel, from, to));
            });
            context.globalAlpha = 1;
        }
        for (const mark of [this.hovered, this.selected]) {
            const columns = mark && this.panels[mark.row.panel].tracks.timeline.operations;
            const item = mark?.row.track.lanes[mark.lane].item[mark.at];
            const other = columns?.waited_operation[item];
            if (columns && other !== null && mark.row.track.group !== "host") {
                context.lineWidth = 2;
                context.strokeStyle = context.fillStyle = this.colours.accent;
                this.drawArrow(context, mark.row.panel, other, item);
            }
        }
    }

    /** From where the awaited operation ends to where the waiting one starts. */
    drawArrow(context, panel, awaited, waiting) {
        const from = this.place(panel, awaited);
        const to = this.place(panel, waiting);
        const x = Math.min(from.end, to.start);
        const down = Math.sign(to.y - from.y);
        context.beginPath();
        context.moveTo(x, from.y);
        context.bezierCurveTo(x, (from.y + to.y) / 2, to.start, (from.y + to.y) / 2, to.start,
            to.y - down * 6);
        context.stroke();
        context.beginPath();
        if (down !== 0) {
            context.moveTo(to.start, to.y - down * 2);
            context.lineTo(to.start - 3, to.y - down * 7);
            context.lineTo(to.start + 3, to.y - down * 7);
        }
        context.fill();
    }

    drawMark(context, mark, colour, width) {
        if (!mark) {
            return;
        }
        const lane = mark.row.track.lanes[mark.lane];
        const height = mark.row.height / mark.row.track.lanes.length;
        const x = this.x(lane.start[mark.at]);
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.strokeRect(x, mark.row.top + mark.lane * height + width / 2,
            Math.max(2, this.x(lane.end[mark.at]) - x), height - width);
    }

    /** What is drawn at a pixel, or at most 3 pixels beside it: {row, lane, at}. */
    find(x, y) {
        const row = this.rows.find((one) =>
            one.track && y >= one.top && y < one.top + one.height);
        if (!row || x < this.left || x > this.left + this.width) {
            return null;
        }
        const lanes = row.track.lanes;
        const lane = Math.min(lanes.length - 1,
            Math.floor((y - row.top) / (row.height / lanes.length)));
        const at = Math.min(upperBound(lanes[lane].start, this.timeAt(x + 3)),
            lanes[lane].start.length) - 1;
        return at >= 0 && lanes[lane].end[at] >= this.timeAt(x - 3) ? { row, lane, at } : null;
    }
}
