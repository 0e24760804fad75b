// Warnings, and where the figures come from.

function drawWarnings(host, warnings) {
    if (warnings.length === 0) {
        host.remove();
        return;
    }
    host.classList.add("warnings");
    host.append(element("ul", {}, ...warnings.map((warning) =>
        element("li", {}, `${warning.text} `, element("code", {}, warning.code)))));
}

function drawProvenance(host, rows) {
    host.append(facts(rows.map((row) =>
        [row.label, row.label === "command" ? element("code", {}, row.value) : row.value])));
}
