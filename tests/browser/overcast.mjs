// Runs the built `overcast` for the tests of its HTML reports.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const kRepository = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const kProgram = process.env.OVERCAST_PROGRAM ??
    join(kRepository, "build", "no-cuda", "bin", "overcast");

/** What it prints. Runs in the repository, so that paths in a report are short. */
export function overcast(...words) {
    if (!existsSync(kProgram)) {
        throw new Error(`${kProgram} is not built; OVERCAST_PROGRAM may name another`);
    }
    return execFileSync(kProgram, words, {
        cwd: kRepository, encoding: "utf8", maxBuffer: 1 << 28,
        env: { ...process.env, LC_ALL: "C.UTF-8" },
    });
}

/** A folder that lives as long as `use` runs. */
export async function inFolder(use) {
    const folder = mkdtempSync(join(tmpdir(), "overcast-browser-"));
    try {
        return await use(folder);
    } finally {
        rmSync(folder, { recursive: true });
    }
}
