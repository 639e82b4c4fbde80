"""Asserts in test files that show the values they compared."""

import ast
import importlib.machinery
import sys
import types

OPERATORS = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
             ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}  # fmt: skip


class Rewriter(ast.NodeTransformer):
    def visit_Assert(self, node):
        test, found = node.test, []
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, right = ast.Name("@left", ast.Store()), ast.Name("@right", ast.Store())
            found = [ast.Assign([left], test.left), ast.Assign([right], test.comparators[0])]
            values = [ast.Name("@left", ast.Load()), ast.Name("@right", ast.Load())]
            test = ast.Compare(values[0], test.ops, [values[1]])
            parts = [ast.Constant(OPERATORS[type(node.test.ops[0])]), *values]
        else:
            found = [ast.Assign([ast.Name("@value", ast.Store())], test)]
            test = ast.Name("@value", ast.Load())
            parts = [ast.Constant(None), ast.Constant(ast.unparse(node.test)), test]
        words = ast.Call(ast.Name("@explain", ast.Load()), parts + ([node.msg] if node.msg else []), [])
        fails = ast.Raise(ast.Call(ast.Name("AssertionError", ast.Load()), [words], []), None)
        made = [*found, ast.If(ast.UnaryOp(ast.Not(), test), [fails], [])]
        for statement in made:
            for part in ast.walk(statement):
                if not hasattr(part, "lineno"):
                    ast.copy_location(part, node)
        return made


def explain(operator, left, right, *message):
    head = f"{message[0]}\n" if message else ""
    if operator is None:
        negated = left.startswith("not ")
        return f"{head}assert {right!r}\n +  where {right!r} = {left}" if not negated else f"{head}assert {left}"
    lines = [f"{head}assert {short(left)} {operator} {short(right)}"]
    if operator == "==":
        lines += differences(left, right)
    return "\n".join(lines)


def short(value):
    text = repr(value)
    return text if len(text) <= 240 else text[:118] + "..." + text[-118:]


def differences(left, right):
    if isinstance(left, str) and isinstance(right, str) and ("\n" in left or "\n" in right):
        import difflib

        return ["  " + line for line in difflib.ndiff(right.splitlines(), left.splitlines())]
    if isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
        for at, (one, other) in enumerate(zip(left, right)):
            if one != other:
                return [f"  At index {at} diff: {one!r} != {other!r}"]
        longer, which = (left, "Left") if len(left) > len(right) else (right, "Right")
        if len(left) != len(right):
            return [f"  {which} contains {abs(len(left) - len(right))} more items, first extra item: {longer[min(len(left), len(right))]!r}"]
    if isinstance(left, dict) and isinstance(right, dict):
        lines = [f"  {{{key!r}: {left[key]!r}}} != {{{key!r}: {right[key]!r}}}" for key in left if key in right and left[key] != right[key]]
        lines += [f"  Left contains {{{key!r}: {left[key]!r}}}" for key in left if key not in right]
        return lines + [f"  Right contains {{{key!r}: {right[key]!r}}}" for key in right if key not in left]
    if isinstance(left, (set, frozenset)) and isinstance(right, (set, frozenset)):
        return [f"  Extra items in the left set: {left - right!r}", f"  Extra items in the right set: {right - left!r}"]
    return []


def load(name, path):
    """Imports a test file with its asserts rewritten."""
    with open(path, "rb") as file:
        source = file.read()
    tree = Rewriter().visit(ast.parse(source, path))
    module = types.ModuleType(name)
    module.__file__ = str(path)
    module.__loader__ = importlib.machinery.SourceFileLoader(name, str(path))
    module.__package__ = name.rpartition(".")[0]
    module.__dict__["@explain"] = explain
    sys.modules[name] = module
    try:
        exec(compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        del sys.modules[name]
        raise
    return module
