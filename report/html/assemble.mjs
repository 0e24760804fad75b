// Puts the page together: style, scripts and ECharts into page.html, with a policy that lets nothing
// else run. usage: node assemble.mjs ECHARTS_FILE PAGE_FILE
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Script } from "node:vm";

const here = dirname(fileURLToPath(import.meta.url));
const [echartsFile, pageFile] = process.argv.slice(2);

const read = (...path) => readFileSync(join(here, ...path), "utf8");
const scriptsIn = (folder) =>
    readdirSync(join(here, folder)).filter((name) => name.endsWith(".js")).sort();

/** All scripts of ours as one, page.js (which starts everything) last. */
function ownScript() {
    const files = [
        ...scriptsIn(".").filter((name) => name !== "page.js"),
        ...scriptsIn("sections").map((name) => join("sections", name)),
        "page.js",
    ];
    for (const name of files) {
        new Script(read(name), { filename: name });  // a syntax error stops the build here
    }
    // In a block, so that two functions of one name are a syntax error, too.
    const whole = `(() => {\n"use strict";\n{\n${files.map((name) => read(name)).join("\n")}}\n})();\n`;
    new Script(whole, { filename: "all scripts" });
    return whole;
}

function forElement(name, text) {
    if (/<\/(script|style)|<!--/i.test(text)) {
        throw new Error(`${name} holds a closing tag or a comment: it cannot stand in a page`);
    }
    return text;
}

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const parts = {
    STYLE: forElement("style.css", read("style.css")),
    ECHARTS: forElement(echartsFile, readFileSync(echartsFile, "utf8")),
    SCRIPT: forElement("the scripts", ownScript()),
};
// Nothing is loaded, and no script runs but these two.
parts.POLICY =
    "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; " +
    `script-src ${hash(parts.ECHARTS)} ${hash(parts.SCRIPT)}; style-src ${hash(parts.STYLE)}`;

const page = read("page.html").replace(/@(STYLE|ECHARTS|SCRIPT|POLICY)@/g, (_, name) => parts[name]);
if (page.split("@DATA@").length !== 2) {
    throw new Error("the page must hold @DATA@ exactly once");
}
mkdirSync(dirname(pageFile), { recursive: true });
writeFileSync(pageFile, page);
