// What `advise` says: each cause with its saving and its change, the schedule, the critical path.

const kVerdictWords = { "nothing-to-gain": "Nothing to gain", "not-priced": "Not priced" };

/** Where the page leads out of itself: nothing but https, and the other page learns nothing of this. */
function outsideLink(address) {
    return /^https:\/\//.test(address) ?
        element("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, address) :
        address;
}

function savingWords({ saving_us, interval_us }) {
    if (saving_us === 0) {
        return "nothing";
    }
    return formatMicroseconds(saving_us) +
        (interval_us ? ` (90 %: ${intervalWords(interval_us)})` : "");
}

function placesWords({ places, occurrences }) {
    const words = places.map(({ call, what, at_us }) =>
        `${call} at ${formatMicroseconds(at_us)}${what ? ` (${what})` : ""}`);
    const more = occurrences - places.length;
    return words.join("; ") + (more > 0 && words.length > 0 ? `; ${formatCount(more)} more` : "");
}

function drawDiagnosis(diagnosis, rank) {
    const where = placesWords(diagnosis);
    return element("article", { class: "diagnosis", "data-id": diagnosis.id },
        element("h3", {}, `${rank}. ${diagnosis.title}`),
        facts([
            ["saves alone", savingWords(diagnosis.alone)],
            ["with the others made", savingWords(diagnosis.with_the_rest)],
            ...(diagnosis.advised ? [] : [["total", "not counted in the answer above"]]),
            ["seen", diagnosis.evidence],
            ...(where ? [["where", where]] : []),
            ["change", element("pre", { tabindex: "0" }, diagnosis.change)],
            ["read", outsideLink(diagnosis.link)],
        ]));
}

/** What is there, but costs nothing or has no price. */
function seenToo(diagnoses) {
    return element("ul", { class: "seen-too" }, ...diagnoses.map((diagnosis) =>
        element("li", {}, element("strong", {}, diagnosis.title), `: ${diagnosis.evidence}. ` +
            `${kVerdictWords[diagnosis.verdict] ?? diagnosis.verdict}: ${diagnosis.reason}.`)));
}

function scheduleWords(schedule) {
    if (schedule.transform === "as-recorded") {
        return "as recorded";
    }
    return [
        counted(schedule.streams, "stream"),
        ...(schedule.streams > 1 ? [kOrderWords[schedule.order]] : []),
        ...(schedule.units_in_turn > 1 ? [`${schedule.units_in_turn} units in turn`] : []),
        ...(schedule.parts > 1 ? [`in ${schedule.parts} parts`] : []),
    ].join(", ");
}

function schedulesTable({ best, cheapest, cut }) {
    const columns = [
        { title: "", text: true }, { title: "Schedule", text: true, name: true }, { title: "Connections" },
        { title: "Wall time" }, { title: "90 % within" }, { title: "Bound by", text: true },
        { title: "H2D" }, { title: "D2H" }, { title: "SM" }, { title: "Host" },
    ];
    const rows = [["best", best], ["simplest", cheapest], ["if cut", cut]]
        .filter(([, schedule]) => schedule);
    return table("Schedules", columns, rows.map(([name, schedule]) => ({
        class: name === "simplest" && "best",
        cells: [
            name, scheduleWords(schedule), String(schedule.max_connections),
            formatMicroseconds(schedule.wall_us), intervalWords(schedule.interval_us),
            kBoundWords[schedule.bound_by],
            ...["h2d", "d2h", "sm", "host"].map((unit) => formatPercent(schedule.utilisation[unit])),
        ],
    })));
}

function pathShares({ shares, wall_us }) {
    const columns = [{ title: "What", text: true, name: true }, { title: "Time" },
                     { title: "Share" }, { title: "Times" }];
    return table("Critical path by what is on it", columns, shares.map((share) => ({
        cells: [share.what, formatMicroseconds(share.time_us),
                formatPercent(share.time_us / wall_us), formatCount(share.count)],
    })));
}

function pathLinks({ links }) {
    const columns = [{ title: "From" }, { title: "To" }, { title: "Times" },
                     { title: "What", text: true, name: true },
                     { title: "Waited for", text: true, name: true }];
    return table("Critical path, step by step", columns, links.map((link) => ({
        cells: [formatMicroseconds(link.start_us), formatMicroseconds(link.end_us),
                formatCount(link.count), link.what,
                link.waited_for ? `${link.waited_for} (${link.reason})` : "the host"],
    })));
}

function drawAdvice(host, { advice }) {
    const saving = advice.diagnoses.filter(({ verdict }) => verdict === "saves");
    const others = advice.diagnoses.filter(({ verdict }) => verdict !== "saves");
    host.append(element("p", { class: "note" }, saving.length > 0 ?
        "By the time it saves: when this alone is changed, and what it adds when all the others " +
        "are made already." : "Nothing that was found would save time."));
    host.append(...saving.map((diagnosis, i) => drawDiagnosis(diagnosis, i + 1)));
    if (others.length > 0) {
        host.append(element("h3", {}, "Seen too"), seenToo(others));
    }
    const { schedules, critical_path: path } = advice;
    if (schedules.best) {
        host.append(element("h3", {}, "The schedule, with all changes made"),
            element("p", { class: "note" }, `${counted(schedules.played, "schedule")} played; ` +
                "simplest: fewest streams and least change within 2 % of the best."),
            schedulesTable(schedules));
    }
    if (path.shares.length > 0) {
        host.append(element("h3", {}, "Its critical path"),
            element("p", { class: "note" }, `${formatMicroseconds(path.wall_us)}, through ` +
                `${counted(path.operations, "operation")}.`),
            pathShares(path),
            element("details", {}, element("summary", {}, "Step by step"), pathLinks(path)));
    }
}
