#!/usr/bin/env python3
"""Who may include whom: checks every #include against the tables below (docs/architecture.md).

usage: tools/check_layers.py [--self-test] [ROOT]

Three rules: a folder includes only the folders below it, an outside library is used only by the
folders that may, and no files include each other in a circle. Link rules alone do not catch these,
since all folders share one include root.
"""

import re
import sys
import tempfile
from pathlib import Path

# Folder -> the other folders whose headers it may include. "tests" and "bench" may use everything.
FOLDERS = {
    "core": "",
    "formats": "core",
    "workload": "core",
    "model": "core",
    "simulator": "core model",
    "tracer": "core formats",
    "tracer/code": "core",
    "tracer/injection": "core tracer/code",
    "report": "core formats",
    "forecast": "core workload model simulator",
    "calibrate": "core formats model tracer",
    "advise": "core workload model simulator forecast",
    "validate": "core formats workload model simulator tracer report forecast calibrate",
    "cli": "core formats workload model simulator tracer report forecast calibrate advise validate",
}
UNRESTRICTED = ("tests", "bench")

# Outside library -> (what its includes look like, the folders that may use them).
LIBRARIES = {
    "Boost": (r"boost/", "cli"),
    "Eigen": (r"Eigen/|unsupported/Eigen/", "model"),
    "fmt": (r"fmt/", "formats workload model simulator tracer report forecast calibrate advise "
                     "validate cli"),
    "nlohmann-json": (r"nlohmann/", "formats model report validate"),
    "simdjson": (r"simdjson", "formats"),
    "zlib": (r"zlib\.h|zconf\.h", "formats"),
    "SQLite": (r"sqlite3", "formats"),
    "CUDA": (r"cuda\w*\.h|cupti|nvml|nvtx|nvToolsExt|generated_cuda|generated_nvtx|"
             r"cublas|cufft|driver_types\.h|vector_types\.h", "tracer model/probes validate/cases"),
}
# Parts of a folder that must do without a library which the rest of the folder may use.
FORBIDDEN = {"tracer/injection": "fmt", "tracer/launcher": "CUDA", "tracer/doctor": "CUDA"}

SUFFIXES = {".hpp", ".cpp", ".cu", ".cuh", ".h", ".in"}
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def within(path, folders):
    return any(path == folder or path.startswith(folder + "/") for folder in folders)


def most_specific(path, table):
    """The longest key of `table` that is `path` or a folder above it."""
    return max((key for key in table if within(path, [key])), key=len, default=None)


def sources(root):
    """Path relative to root -> list of (line, included name), for each source file."""
    found = {}
    for folder in [*(f for f in FOLDERS if "/" not in f), *UNRESTRICTED]:
        for file in sorted((root / folder).rglob("*")):
            if file.suffix in SUFFIXES and file.is_file():
                text = file.read_text(encoding="utf-8")
                name = file.relative_to(root).as_posix().removesuffix(".in")
                found[name] = [(text.count("\n", 0, m.start(2)) + 1, m[2])
                               for m in INCLUDE.finditer(text)]
    return found


def check_folders(path, includes):
    folder = most_specific(path, FOLDERS)
    if folder is None:
        return
    top = folder.split("/")[0]
    may = FOLDERS[folder].split()
    for line, name in includes:
        target = name.split("/")[0]
        if "/" not in name or target not in FOLDERS:
            continue
        own = within(name, [folder]) if "/" in folder else target == top
        if not own and not within(name, may):
            yield f"{path}:{line}: {folder} must not include {name} (it may include: " \
                  f"{', '.join(may) or 'nothing'})"


def check_libraries(path, includes):
    is_test = re.search(r"_test\.(cpp|cu)$", path) or within(path, UNRESTRICTED)
    for line, name in includes:
        for library, (pattern, folders) in LIBRARIES.items():
            if not re.match(pattern, name):
                continue
            part = most_specific(path, FORBIDDEN)
            if within(path, UNRESTRICTED):
                continue
            if not within(path, folders.split()) or (part and library in FORBIDDEN[part].split()):
                yield f"{path}:{line}: {library} must not be used here ({name})"
        if not is_test and re.match(r"gtest/|gmock/|benchmark/", name):
            yield f"{path}:{line}: test libraries are for tests only ({name})"
        if not within(path, UNRESTRICTED) and within(name, UNRESTRICTED) and not is_test:
            yield f"{path}:{line}: only tests may include {name}"


def find_circle(files):
    """The first circle of files as a list, or None."""
    edges = {path: [name for _, name in includes if name in files]
             for path, includes in files.items()}
    done, on_path = set(), []

    def visit(path):
        if path in on_path:
            return [*on_path[on_path.index(path):], path]
        if path in done:
            return None
        on_path.append(path)
        for target in edges[path]:
            if circle := visit(target):
                return circle
        on_path.pop()
        done.add(path)
        return None

    for path in edges:
        if circle := visit(path):
            return circle
    return None


def check(root):
    files = sources(root)
    problems = []
    for path, includes in files.items():
        problems += check_folders(path, includes)
        problems += check_libraries(path, includes)
    if circle := find_circle(files):
        problems.append("files include each other in a circle: " + " -> ".join(circle))
    return files, problems


SELF_TEST = {
    # A small tree, and the part of each message that must come out (None: must be silent).
    "a higher floor": ({"core/a.hpp": '#include "cli/b.hpp"\n'}, "core must not include cli/b.hpp"),
    "a neighbour": ({"model/a.cpp": '\n#include "workload/b.hpp"\n'}, "model/a.cpp:2: model must"),
    "a lower floor": ({"cli/a.cpp": '#include "core/a.hpp"\n#include <vector>\n'}, None),
    "injection and formats": ({"tracer/injection/a.cpp": '#include "formats/a.hpp"\n'},
                              "tracer/injection must not include formats/a.hpp"),
    "injection and launcher": ({"tracer/injection/a.cpp": '#include "tracer/launcher/a.hpp"\n'},
                               "tracer/injection must not include tracer/launcher/a.hpp"),
    "injection and code": ({"tracer/injection/a.cpp": '#include "tracer/code/a.hpp"\n'}, None),
    "code and launcher": ({"tracer/code/a.cpp": '#include "tracer/launcher/a.hpp"\n'},
                          "tracer/code must not include tracer/launcher/a.hpp"),
    "launcher and formats": ({"tracer/launcher/a.cpp": '#include "formats/a.hpp"\n'}, None),
    "boost outside cli": ({"report/a.cpp": "#include <boost/program_options.hpp>\n"},
                          "Boost must not be used here"),
    "boost in cli": ({"cli/a.cpp": "#  include <boost/program_options.hpp>\n"}, None),
    "fmt in the injection": ({"tracer/injection/a.cpp": "#include <fmt/format.h>\n"}, "fmt must"),
    "cuda in the simulator": ({"simulator/a.cpp": "#include <cuda_runtime.h>\n"}, "CUDA must"),
    "cupti in the launcher": ({"tracer/launcher/a.cpp": "#include <cupti.h>\n"}, "CUDA must"),
    "cuda in a case": ({"validate/cases/a.cu": "#include <cuda_runtime.h>\n"}, None),
    "gtest outside a test": ({"core/a.cpp": "#include <gtest/gtest.h>\n"}, "test libraries"),
    "a circle": ({"core/a.hpp": '#include "core/b.hpp"\n', "core/b.hpp": '#include "core/a.hpp"\n'},
                 "circle: core/a.hpp -> core/b.hpp -> core/a.hpp"),
}


def self_test():
    failed = 0
    for title, (tree, expected) in SELF_TEST.items():
        with tempfile.TemporaryDirectory() as folder:
            for path, text in tree.items():
                file = Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
            _, problems = check(Path(folder))
        as_expected = not problems if expected is None else \
            len(problems) == 1 and expected in problems[0]
        if not as_expected:
            failed += 1
            print(f"self-test '{title}': expected {expected!r}, got {problems}")
    print(f"layers self-test: {len(SELF_TEST) - failed} of {len(SELF_TEST)} as expected")
    return failed


def main(arguments):
    if "--self-test" in arguments:
        return 1 if self_test() else 0
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    files, problems = check(root)
    for problem in problems:
        print(problem)
    if not files:
        problems = [f"no source file under {root}"]
        print(problems[0])
    print(f"layers: {len(files)} files, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
