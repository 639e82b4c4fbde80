/**
 * A Python loop that answers `CheckerRequest`s: it compiles code but runs none. Started with `-I -S`, so that no module
 * of the project replaces one of Python's own.
 */
export const PYTHON_CHECKER = `
import json, sys, warnings
warnings.simplefilter("ignore")

def problems(path, text):
    if text is None:
        return []
    try:
        compile(text, path, "exec", 0x400, True)
        return []
    except SyntaxError as error:
        place = (error.lineno or 1, error.offset or 1)
        name, message = type(error).__name__, error.msg
    except (ValueError, MemoryError, RecursionError, OverflowError) as error:
        place, name, message = (1, 1), type(error).__name__, str(error)
    line, column = (max(1, number) for number in place)
    return [{"path": path, "line": line, "column": column, "severity": "error", "message": f"{name}: {message}"}]

for line in sys.stdin:
    request = json.loads(line)
    found = []
    for edit in request.get("edits", []):
        if not problems(edit["path"], edit["before"]):
            found += problems(edit["path"], edit["after"])
    sys.stdout.write(json.dumps({"id": request["id"], "problems": found}) + "\\n")
    sys.stdout.flush()
`;

export const PYTHON_CHECKER_COMMAND = ['python3', '-I', '-S', '-u', '-c', PYTHON_CHECKER];

export const isPython = (path: string): boolean => /\.pyi?$/.test(path);
