"""Compiled parts of a wheel, and whether its Python code works without them, as faster versions of it."""

import ast
import re

# Extension modules and shared libraries; executables have no suffix.
SUFFIX = re.compile(r"\.(so|pyd|dylib|dll)(\.\d+)*$")
MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
MISSING = {"ImportError", "ModuleNotFoundError", "Exception", "BaseException"}


def compiled_files(files):
    """Compiled files among those of a wheel (path → content)."""
    return {path for path, content in files.items() if SUFFIX.search(path) or content.startswith(MAGIC)}


def does_without(files):
    """
    Detects whether a wheel's Python code works without its compiled modules: each import of one is in a `try` that
    goes on without it, in a branch whose alternative imports the same names, or in a module that is itself imported so.
    """
    # Libraries and mypyc's shared module, which only compiled modules load.
    parts = {path for path in compiled_files(files) if not re.search(r"\.libs/|__mypyc\.", path)}
    sources = {module(path): path for path in files if path.endswith(".py") and not re.search(r"(^|/)(tests?|[^/]+\.data/scripts)/", path)}
    trees = {}
    missing = {module(path) for path in parts} - set(sources)
    extensions, waiting = set(missing), list(missing)
    while waiting:
        name = waiting.pop()
        users = importers(name, sources, files, trees)
        if not users and (public(name) or name in extensions):
            return False
        inside = {other for other in sources if other.startswith(f"{name}.")}
        needing = (inside | {user for user, guarded in users if not guarded}) - missing
        missing |= needing
        waiting += needing
    return any(public(name) and name not in missing for name in sources if "." not in name)


def module(path):
    """Name of the module in a file of a wheel."""
    *packages, last = re.sub(r"^[^/]+\.data/(purelib|platlib)/", "", path).split("/")
    name = last.partition(".")[0]
    return ".".join(packages if name == "__init__" else [*packages, name])


def public(name):
    return not any(part.startswith("_") for part in name.split("."))


def importers(wanted, sources, files, trees):
    """Modules outside of the wanted one that import it, each with whether it goes on without it."""
    word = wanted.rpartition(".")[2].encode()
    users = set()
    for name, path in sources.items():
        if word not in files[path] or name == wanted or name.startswith(f"{wanted}."):
            continue
        package = name if path.endswith("/__init__.py") else name.rpartition(".")[0]
        if name not in trees:
            trees[name] = [(targets(statement, package), guarded) for statement, guarded in imports(parsed(files[path]), False)]
        users |= {(name, guarded) for named, guarded in trees[name] if wanted in named}
    return users


def parsed(source):
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([])  # A template, or code of another version of Python.


def imports(node, guarded):
    """Import statements in a tree, each with whether the code goes on if it fails."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.Import, ast.ImportFrom)):
            yield child, guarded
        elif isinstance(child, ast.Try):
            inside = guarded or any(map(goes_on, child.handlers))
            for part in [*child.body, *child.orelse]:
                yield from imports(ast.Module([part]), inside)
            for part in [*child.handlers, *child.finalbody]:
                yield from imports(ast.Module([part]), guarded)
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in (getattr(child.test, "id", ""), getattr(child.test, "attr", "")):
            yield from imports(ast.Module(child.orelse), guarded)
        elif isinstance(child, ast.If):
            # One of two branches that import the same names: the condition is whether the compiled module is there.
            both = imported_names(child.body) & imported_names(child.orelse)
            for statement in [*child.body, *child.orelse]:
                yield from imports(ast.Module([statement]), guarded or bool(both & imported_names([statement])))
        else:
            yield from imports(child, guarded)


def imported_names(statements):
    return {alias.asname or alias.name for one in statements if isinstance(one, (ast.Import, ast.ImportFrom)) for alias in one.names}


def goes_on(handler):
    """Detects a handler of failed imports that does not raise in every case."""
    caught = {"BaseException"} if handler.type is None else {getattr(node, "id", None) for node in ast.walk(handler.type)}
    return bool(caught & MISSING) and not any(isinstance(statement, ast.Raise) for statement in handler.body)


def targets(statement, package):
    """Names of the modules that a statement may import."""
    if isinstance(statement, ast.Import):
        names = [alias.name for alias in statement.names]
    else:
        base = statement.module or ""
        if statement.level:
            above = package.split(".")[: len(package.split(".")) - statement.level + 1]
            base = ".".join([*above, *([base] if base else [])])
        names = [base, *(f"{base}.{alias.name}" for alias in statement.names)]
    # The packages around a module are imported before it.
    return {name[:end] for name in names for end in [*(dot.start() for dot in re.finditer(r"\.", name)), len(name)]}
