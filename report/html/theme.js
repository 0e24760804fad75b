// Light and dark: as the system has it, until the button is pressed.

const theme = {
    listeners: [],
    dark: matchMedia("(prefers-color-scheme: dark)").matches,

    colour(name) {
        return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
    },
    set(dark) {
        this.dark = dark;
        document.documentElement.dataset.theme = dark ? "dark" : "light";
        const button = document.getElementById("theme");
        button.textContent = dark ? "Light" : "Dark";
        button.setAttribute("aria-pressed", String(dark));
        button.setAttribute("aria-label", `Switch to the ${dark ? "light" : "dark"} theme`);
        this.listeners.forEach((redraw) => redraw());
    },
    start() {
        let chosen = false;
        this.set(this.dark);
        document.getElementById("theme").addEventListener("click", () => {
            chosen = true;
            this.set(!this.dark);
        });
        matchMedia("(prefers-color-scheme: dark)").addEventListener("change", (change) => {
            if (!chosen) {
                this.set(change.matches);
            }
        });
    },
};

/** An ECharts instance that follows its element's size, and is drawn anew when the theme changes. */
function makeChart(host, redraw) {
    const chart = echarts.init(host, null, { renderer: "canvas" });
    const sizes = new ResizeObserver(() => chart.resize());
    sizes.observe(host);
    theme.listeners.push(redraw);
    const dispose = chart.dispose.bind(chart);
    chart.dispose = () => {
        sizes.disconnect();
        theme.listeners = theme.listeners.filter((one) => one !== redraw);
        dispose();
    };
    return chart;
}
