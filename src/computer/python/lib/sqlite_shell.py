"""The command `sqlite3`: SQL and dot commands, over the interpreter's own SQLite."""

import csv
import json
import re
import sqlite3
import sys

MODES = ("list", "csv", "json", "column", "line", "tabs", "table", "box", "markdown", "quote", "insert")
HELP = """.dump ?TABLE?             Show all data as SQL
.headers on|off          Column names above results
.help                    Show this help
.import FILE TABLE       Read CSV into a table
.indexes ?TABLE?         Names of indexes
.mode MODE               csv, json, column, line, list, tabs, table, box, markdown, quote, insert
.nullvalue TEXT          What stands for NULL
.output ?FILE?           Send results to a file
.quit                    End
.read FILE               Run the SQL in a file
.schema ?TABLE?          CREATE statements
.separator TEXT          Between the columns of a list
.tables ?PATTERN?        Names of tables
"""


class Shell:
    def __init__(self, path):
        try:
            self.base = sqlite3.connect(path, isolation_level=None)
        except sqlite3.OperationalError:
            raise SystemExit(f'Error: unable to open database "{path}": unable to open database file')
        self.mode, self.headers, self.separator, self.null = "list", None, None, ""
        self.bail = False
        self.out = sys.stdout
        self.failed = False

    def run(self, text, lines_from=None):
        """Runs SQL and dot commands. Prints errors and continues unless `-bail`."""
        waiting, start = "", 1
        for number, line in enumerate(text.splitlines(), 1):
            if not waiting.strip() and line.startswith("."):
                self.dot(line.strip(), number if lines_from else None)
            else:
                if not waiting.strip():
                    waiting, start = "", number
                waiting += line + "\n"
                while (end := statement_end(waiting)) is not None:
                    self.sql(waiting[:end], start if lines_from else None)
                    waiting = waiting[end:]
            if self.failed and self.bail:
                return
        if waiting.strip():
            self.sql(waiting, start if lines_from else None)

    def sql(self, text, line):
        try:
            cursor = self.base.execute(text)
            if cursor.description:
                names = [column[0] for column in cursor.description]
                self.show(names, cursor)
        except (sqlite3.Error, sqlite3.Warning) as error:
            where = f"Parse error near line {line}: " if line and is_parse(error) else f"Runtime error near line {line}: " if line else "Error: in prepare, " if is_parse(error) else "Error: stepping, "
            self.complain(where + str(error))

    def complain(self, words):
        self.failed = True
        self.out.flush()
        print(words, file=sys.stderr)

    def show(self, names, rows):
        write = self.out.write
        headers = self.headers if self.headers is not None else self.mode in ("column", "table", "box", "markdown")
        if self.mode == "json":
            parts = [json.dumps(dict(zip(names, map(plain, row))), ensure_ascii=False, separators=(",", ":")) for row in rows]
            if parts:
                write("[" + ",\n".join(parts) + "]\n")
        elif self.mode == "csv":
            if headers:
                write(",".join(map(quoted_csv, names)) + "\r\n")
            for row in rows:
                write((self.separator or ",").join(quoted_csv(self.text(value)) for value in row) + "\r\n")
        elif self.mode == "line":
            width = max(map(len, names), default=0)
            for at, row in enumerate(rows):
                write("\n" if at else "")
                for name, value in zip(names, row):
                    write(f"{name:>{width}} = {self.text(value)}\n")
        elif self.mode in ("column", "table", "box", "markdown"):
            self.table(names, [[self.text(value) for value in row] for row in rows], headers)
        elif self.mode == "insert":
            for row in rows:
                write("INSERT INTO \"table\" VALUES(" + ",".join(map(literal, row)) + ");\n")
        else:
            between = self.separator or {"tabs": "\t", "quote": ","}.get(self.mode, "|")
            show = literal if self.mode == "quote" else self.text
            if headers:
                write(between.join(literal(name) if self.mode == "quote" else name for name in names) + "\n")
            for row in rows:
                write(between.join(map(show, row)) + "\n")

    def table(self, names, rows, headers):
        if not rows:
            return
        widths = [max(len(line) for cell in [name, *(row[at] for row in rows)] for line in [cell]) for at, name in enumerate(names)]
        write = self.out.write
        if self.mode == "column":
            if headers:
                write("  ".join(name.ljust(width) for name, width in zip(names, widths)).rstrip() + "\n")
                write("  ".join("-" * width for width in widths) + "\n")
            for row in rows:
                write("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n")
            return
        corner, flat, up = {"table": ("+++", "-", "|"), "box": ("┌┬┐", "─", "│"), "markdown": ("|||", "-", "|")}[self.mode]
        def rule(ends):
            return ends[0] + ends[1].join(flat * (width + 2) for width in widths) + ends[2] + "\n"
        if self.mode != "markdown":
            write(rule(corner))
        def cells(row, centred=False):
            return up + up.join(f" {cell.center(width) if centred else cell.ljust(width)} " for cell, width in zip(row, widths)) + up + "\n"
        write(cells(names, True))
        write(rule("├┼┤" if self.mode == "box" else corner))
        for row in rows:
            write(cells(row))
        if self.mode != "markdown":
            write(rule("└┴┘" if self.mode == "box" else corner))

    def text(self, value):
        if value is None:
            return self.null
        if isinstance(value, bytes):
            return value.decode("utf-8", "replace")
        return number(value) if isinstance(value, float) else str(value)

    def dot(self, line, number_of_line):
        words = re.findall(r"\"([^\"]*)\"|'([^']*)'|(\S+)", line)
        name, *args = ["".join(parts) for parts in words]
        name = name[1:]
        action = next((found for found in COMMANDS if found.startswith(name) and len(name) >= 2 or found == name), None)
        if action is None:
            return self.complain(f'Error: unknown command or invalid arguments:  "{name}". Enter ".help" for help')
        try:
            getattr(self, "dot_" + action)(*args)
        except TypeError:
            self.complain(f"Error: unknown option or missing argument for .{action}. Enter \".help\" for help")
        except (OSError, sqlite3.Error) as error:
            self.complain(f"Error: {error}")

    def dot_quit(self, *_):
        raise SystemExit(int(self.failed))

    dot_exit = dot_quit

    def dot_help(self, *_):
        self.out.write(HELP)

    def dot_mode(self, mode="list", *_):
        found = next((known for known in MODES if known.startswith(mode)), None)
        if found is None:
            return self.complain(f"Error: mode should be one of: {' '.join(MODES)}")
        self.mode = found

    def dot_headers(self, on):
        self.headers = on.lower() in ("on", "yes", "1", "true")

    def dot_separator(self, text, *_):
        self.separator = text.encode().decode("unicode_escape")

    def dot_nullvalue(self, text):
        self.null = text

    def names(self, kind, pattern):
        like = "%" if pattern is None else pattern
        query = "SELECT name FROM sqlite_schema WHERE type IN (%s) AND name NOT LIKE 'sqlite\\_%%' ESCAPE '\\' AND name LIKE ? ORDER BY 1"
        return [row[0] for row in self.base.execute(query % kind, (like,))]

    def dot_tables(self, pattern=None):
        names = self.names("'table','view'", pattern)
        if not names:
            return
        width = max(map(len, names))
        columns = max(1, 80 // (width + 2))
        rows = -(-len(names) // columns)
        for row in range(rows):
            line = [names[at] for at in range(row, len(names), rows)]
            self.out.write("  ".join(name.ljust(width) for name in line) + "\n" if len(names) > 1 else line[0] + "\n")

    def dot_indexes(self, table=None):
        query = "SELECT name FROM sqlite_schema WHERE type='index' AND tbl_name LIKE ? ORDER BY 1"
        for (name,) in self.base.execute(query, (table or "%",)):
            self.out.write(name + "\n")

    def dot_schema(self, pattern=None):
        query = "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND tbl_name LIKE ? ORDER BY rowid"
        for (sql,) in self.base.execute(query, (pattern or "%",)):
            self.out.write(sql + ";\n")

    def dot_dump(self, table=None):
        self.out.write("PRAGMA foreign_keys=OFF;\n")
        for line in self.base.iterdump(filter=table) if table else self.base.iterdump():
            self.out.write(line + "\n")

    def dot_read(self, path):
        with open(path, encoding="utf-8") as file:
            self.run(file.read(), lines_from=path)

    def dot_output(self, path="stdout"):
        if self.out is not sys.stdout:
            self.out.close()
        self.out = sys.stdout if path == "stdout" else open(path, "w", encoding="utf-8", newline="")

    def dot_import(self, *args):
        skip, words, comma = 0, [], "," if self.mode == "csv" else self.separator or "|"
        args = list(args)
        while args:
            word = args.pop(0)
            if word == "--csv":
                comma = ","
            elif word == "--skip":
                skip = int(args.pop(0))
            else:
                words.append(word)
        path, table = words
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file, delimiter=comma))[skip:]
        name = '"' + table.replace('"', '""') + '"'
        if not self.base.execute("SELECT 1 FROM sqlite_schema WHERE name=?", (table,)).fetchone():
            columns = ", ".join('"' + column.replace('"', '""') + '" TEXT' for column in rows.pop(0))
            self.base.execute(f"CREATE TABLE {name}({columns})")
        count = len(self.base.execute(f"SELECT * FROM {name} LIMIT 0").description)
        self.base.execute("BEGIN")
        filled = ((row + [None] * count)[:count] for row in rows)
        self.base.executemany(f"INSERT INTO {name} VALUES({','.join('?' * count)})", filled)
        self.base.execute("COMMIT")


COMMANDS = [name[4:] for name in dir(Shell) if name.startswith("dot_")]


def statement_end(text):
    """End of the first whole statement, or None."""
    at = text.find(";")
    while at >= 0:
        if sqlite3.complete_statement(text[: at + 1]):
            return at + 1
        at = text.find(";", at + 1)
    return None


def is_parse(error):
    return getattr(error, "sqlite_errorcode", 1) == 1


def number(value):
    if value != value:
        return ""
    if value in (float("inf"), float("-inf")):
        return "Inf" if value > 0 else "-Inf"
    text = re.sub(r"^(-?\d+)e", r"\1.0e", f"{value:.15g}")
    return text if "." in text or "e" in text else text + ".0"


def plain(value):
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def literal(value):
    if value is None:
        return "NULL"
    if isinstance(value, bytes):
        return "X'" + value.hex() + "'"
    if isinstance(value, str):
        return "'" + value.replace("'", "''") + "'"
    return number(value) if isinstance(value, float) else str(value)


def quoted_csv(text):
    return '"' + text.replace('"', '""') + '"' if re.search(r"[^A-Za-z0-9_.+:/@-]", text) else text


def main(args):
    rest, before, mode = [], [], None
    headers, separator, null, bail, batch = None, None, None, False, False
    while args:
        word = args.pop(0)
        option = word.lstrip("-") if word.startswith("-") and word != "-" and len(rest) < 2 else None
        if option is None:
            rest.append(word)
        elif option in MODES:
            mode = option
        elif option in ("header", "noheader"):
            headers = option == "header"
        elif option in ("separator", "nullvalue", "cmd"):
            text = args.pop(0) if args else ""
            if option == "separator":
                separator = text
            elif option == "nullvalue":
                null = text
            else:
                before.append(text)
        elif option == "bail":
            bail = True
        elif option in ("batch", "readonly", "safe", "interactive", "echo"):
            batch = True
        elif option == "version":
            print(sqlite3.sqlite_version)
            return 0
        elif option == "help":
            print("Usage: sqlite3 [OPTIONS] [FILENAME [SQL...]]\n" + HELP, end="")
            return 0
        else:
            print(f"sqlite3: Error: unknown option: {word}\nUse -help for a list of options.", file=sys.stderr)
            return 1
    shell = Shell(rest[0] if rest else ":memory:")
    shell.mode, shell.headers, shell.bail = mode or "list", headers, bail
    shell.separator, shell.null = separator, null or ""
    for text in before + rest[1:]:
        shell.run(text)
        if shell.failed:
            return 1
    if len(rest) > 1:
        return 0
    if not sys.stdin.isatty():
        shell.run(sys.stdin.read(), lines_from="stdin")
        return int(shell.failed)
    return talk(shell)


def talk(shell):
    """Runs the terminal prompt."""
    print(f'SQLite version {sqlite3.sqlite_version}\nEnter ".help" for usage hints.')
    from _sandglass.prompt import ask

    waiting, cancelled = "", False
    while True:
        try:
            line = ask("   ...> " if waiting.strip() else "sqlite> ", "~/.sqlite_history")
            cancelled = False
            waiting += line + "\n"
            if (not waiting.strip("\n ") or waiting.startswith(".")) or sqlite3.complete_statement(waiting):
                shell.run(waiting)
                waiting = ""
        except EOFError:
            return 0
        except KeyboardInterrupt:
            # A second Ctrl-C, with no line entered in between, exits.
            if cancelled:
                return 1
            waiting, cancelled = "", True


if __name__ == "__main__":
    code = main(sys.argv[1:])
    sys.stdout.flush()
    sys.exit(code)
