"""The commands `bzip2`, `xz`, `zstd` and their other names, over the interpreter's own codecs."""

import bz2
import getopt
import lzma
import os
import shutil
import stat
import sys
from compression import zstd

CHUNK = 1 << 20
DONE, FAILED, WARNED = 0, 1, 2


class Failure(Exception):
    """Message about one file, and the resulting exit status."""

    def __init__(self, text, status=FAILED):
        super().__init__(text)
        self.status = status


class Bzip2:
    name, suffix = "bzip2", ".bz2"
    endings = {".bz2": "", ".bz": "", ".tbz2": ".tar", ".tbz": ".tar"}
    starts = (b"BZh",)
    keeps = False
    flags, long_flags = "dzkftcqvs123456789hLV", ["fast", "best", "small", "license", "repetitive-fast", "repetitive-best"]
    default_level = 9
    already = ("Input file {name} already has {ending} suffix.", FAILED)
    absent = ("Can't open input file {name}: No such file or directory.", FAILED)
    folder = ("Input file {name} is a directory.", FAILED)
    exists = ("Output file {target} already exists.", FAILED)
    foreign = ("{label} is not a bzip2 file.", 2)
    damaged = ("{label}: Compressed file ends unexpectedly or is damaged; nothing was kept.", 2)
    unnamed = None  # appends .out
    terminal = "I won't write compressed data to a terminal."
    stdin = "(stdin)"

    @staticmethod
    def compressor(options, size):
        return bz2.BZ2Compressor(options.level)

    reader = staticmethod(bz2.open)


class Xz:
    name, suffix = "xz", ".xz"
    endings = {".xz": "", ".lzma": "", ".txz": ".tar", ".tlz": ".tar"}
    starts = (b"\xfd7zXZ\0", b"\x5d\0\0")
    keeps = False
    flags = "dzkftcqvQe0123456789hHVT:S:F:C:M:"
    long_flags = [
        *["extreme", "no-warn", "no-sparse", "single-stream", "fast", "best"],
        *["threads=", "suffix=", "format=", "check=", "memlimit=", "memory=", "block-size="],
    ]
    default_level = 6
    already = ("{name}: File already has `{ending}' suffix, skipping", WARNED)
    absent = ("{name}: No such file or directory", FAILED)
    folder = ("{name}: Is a directory, skipping", WARNED)
    exists = ("{target}: File exists", FAILED)
    foreign = ("{label}: File format not recognized", FAILED)
    damaged = ("{label}: Compressed data is corrupt or ends unexpectedly", FAILED)
    unnamed = ("{name}: Filename has an unknown suffix, skipping", WARNED)
    terminal = "Compressed data cannot be written to a terminal"
    stdin = "(stdin)"

    @staticmethod
    def compressor(options, size):
        preset = options.level | (lzma.PRESET_EXTREME if options.extreme else 0)
        if options.format == "lzma":
            return lzma.LZMACompressor(lzma.FORMAT_ALONE, preset=preset)
        return lzma.LZMACompressor(lzma.FORMAT_XZ, check=options.check, preset=preset)

    reader = staticmethod(lzma.open)


class Zstd:
    name, suffix = "zstd", ".zst"
    endings = {".zst": "", ".tzst": ".tar"}
    starts = (b"\x28\xb5\x2f\xfd", *(bytes([0x50 + low, 0x2A, 0x4D, 0x18]) for low in range(16)))
    keeps = True
    flags, long_flags = "dzkftcqvhHVT:o:", ["ultra", "rm", "no-progress", "progress", "no-check", "check", "threads=", "single-thread"]
    default_level = 3
    already = None  # compressed again
    absent = ("can't stat {name} : No such file or directory -- ignored", FAILED)
    folder = ("{name} is a directory -- ignored", FAILED)
    exists = ("{target} already exists; not overwritten", FAILED)
    foreign = ("{label}: unknown header", FAILED)
    damaged = ("{label}: the compressed data is corrupt or ends unexpectedly", FAILED)
    unnamed = ("{name}: unknown suffix (.zst/.tzst expected). Specify the output file with -o. Ignoring.", FAILED)
    terminal = "stdout is a console, aborting"
    stdin = "/*stdin*\\"

    @staticmethod
    def compressor(options, size):
        parameter = zstd.CompressionParameter
        compressor = zstd.ZstdCompressor(options={parameter.compression_level: options.level, parameter.checksum_flag: 1})
        if size is not None:
            compressor.set_pledged_input_size(size)
        return compressor

    reader = staticmethod(zstd.open)


NAMES = {
    "bzip2": (Bzip2, ""), "bunzip2": (Bzip2, "d"), "bzcat": (Bzip2, "dc"),
    "xz": (Xz, ""), "unxz": (Xz, "d"), "xzcat": (Xz, "dc"),
    "lzma": (Xz, "l"), "unlzma": (Xz, "ld"), "lzcat": (Xz, "ldc"),
    "zstd": (Zstd, ""), "unzstd": (Zstd, "d"), "zstdcat": (Zstd, "dcf"),
}  # fmt: skip
COMMON = ["decompress", "uncompress", "compress", "keep", "force", "test", "stdout", "to-stdout", "quiet", "silent", "verbose", "help", "version"]
ALIASES = {"uncompress": "d", "decompress": "d", "compress": "z", "stdout": "c", "to-stdout": "c", "silent": "q"}
CHECKS = {"none": lzma.CHECK_NONE, "crc32": lzma.CHECK_CRC32, "crc64": lzma.CHECK_CRC64, "sha256": lzma.CHECK_SHA256}


class Options:
    def __init__(self, codec, preset, arguments):
        self.codec, self.level, self.extreme = codec, codec.default_level, False
        self.flags, self.suffix, self.check = set(preset), codec.suffix, lzma.CHECK_CRC64
        self.format = "lzma" if "l" in preset else "xz"
        self.output, self.removes = None, not codec.keeps
        if self.format == "lzma":
            self.suffix = ".lzma"
        if codec is Zstd:
            arguments = list(self.levels(arguments))
        found, self.names = getopt.gnu_getopt(arguments, codec.flags, COMMON + codec.long_flags)
        for option, value in found:
            self.take(option.lstrip("-"), value)

    def levels(self, arguments):
        """Filters out `-19`, `-3k`: zstd levels have two digits."""
        ended = False
        for one in arguments:
            digits = one[1:].rstrip("abcdefghijklmnopqrstuvwxyzT")
            if ended or not (one.startswith("-") and digits.isascii() and digits.isdigit()):
                ended = ended or one == "--"
                if not one.startswith(("--fast", "--long")) or ended:
                    yield one
                continue
            self.level = min(int(digits), 22)
            if one[1 + len(digits) :]:
                yield "-" + one[1 + len(digits) :]

    def take(self, option, value):
        if option.isdigit():
            self.level = int(option)
        elif option in ("fast", "best"):
            self.level = {"fast": 1 if self.codec is Bzip2 else 0, "best": 9}[option]
        elif option in ("e", "extreme"):
            self.extreme = True
        elif option in ("S", "suffix"):
            self.suffix = value
        elif option in ("F", "format"):
            self.format = {"alone": "lzma", "auto": "xz"}.get(value, value)
            if self.format not in ("xz", "lzma"):
                raise getopt.GetoptError(f"--format={value} is not here: xz and lzma are", "F")
            self.suffix = "." + self.format
        elif option in ("C", "check"):
            self.check = CHECKS.get(value, lzma.CHECK_CRC64)
        elif option == "o":
            self.output = value
        elif option == "rm":
            self.removes = True
        elif option in ("k", "keep"):
            self.removes = False
        elif option in ("z", "compress"):
            self.flags -= {"d", "t"}
        else:
            self.flags.add(ALIASES.get(option, option[0] if option in COMMON else option))

    def has(self, flag):
        return flag in self.flags


def main(called, arguments):
    """Runs the command of that name. Returns the worst exit status of its files."""
    codec, preset = NAMES[called]
    try:
        options = Options(codec, preset, arguments)
    except getopt.GetoptError as error:
        report(codec, f"{error.msg}\nTry `{codec.name} --help' for more information.")
        return 1
    if options.has("h") or options.has("H"):
        print(f"Usage: {called} [-cdfkqtvz] [-1 .. -9] [FILE]...\nCompress or decompress FILEs (by default, compress FILES in place).")
        return DONE
    if options.has("V") or options.has("L"):
        print(f"{codec.name} over the codecs of Python {sys.version.split()[0]}")
        return DONE
    status = DONE
    for name in options.names or ["-"]:
        try:
            one_input(options) if name == "-" else one_file(options, name)
        except Failure as failure:
            report(codec, str(failure))
            if status != FAILED:
                status = failure.status
        except OSError as error:
            report(codec, f"{name}: {error.strerror}")
            status = FAILED
    return status


def report(codec, text):
    sys.stdout.flush()
    print(f"{codec.name}: {text}", file=sys.stderr)


def refuse(message, **values):
    text, status = message
    raise Failure(text.format(**values), status)


def one_input(options):
    unpacks = options.has("d") or options.has("t")
    if not unpacks and not options.output and sys.stdout.isatty() and not options.has("f"):
        raise Failure(options.codec.terminal)
    label = options.codec.stdin
    if options.output and not options.has("t"):
        with open(options.output, "wb") as out:
            convert(options, sys.stdin.buffer, out, label, unpacks)
    else:
        convert(options, sys.stdin.buffer, None if options.has("t") else sys.stdout.buffer, label, unpacks)
        sys.stdout.flush()


def one_file(options, name):
    codec, unpacks = options.codec, options.has("d") or options.has("t")
    try:
        info = os.stat(name)
    except FileNotFoundError:
        refuse(codec.absent, name=name)
    if stat.S_ISDIR(info.st_mode):
        refuse(codec.folder, name=name)
    if options.has("t") or options.has("c"):
        if not unpacks and sys.stdout.isatty() and not options.has("f"):
            raise Failure(codec.terminal)
        with open(name, "rb") as source:
            convert(options, source, None if options.has("t") else sys.stdout.buffer, name, unpacks, info.st_size)
        sys.stdout.flush()
        return
    target = options.output or (unpacked_name(options, name) if unpacks else packed_name(options, name))
    if os.path.lexists(target) and not options.has("f"):
        refuse(codec.exists, target=target)
    replace(options, name, target, info, unpacks)


def replace(options, name, target, info, unpacks):
    """Writes the result beside the file. If that fails, it leaves the file and any old `target` alone."""
    if os.path.exists(target) and os.path.samefile(name, target):
        raise Failure(f"{name}: the output would overwrite the input; name another file")
    unfinished = f"{target}.{os.getpid()}~"
    try:
        with open(name, "rb") as source, open(unfinished, "xb") as out:
            convert(options, source, out, name, unpacks, info.st_size)
        os.chmod(unfinished, stat.S_IMODE(info.st_mode))
        os.utime(unfinished, ns=(info.st_atime_ns, info.st_mtime_ns))
        os.replace(unfinished, target)
    except BaseException:
        if os.path.exists(unfinished):
            os.unlink(unfinished)
        raise
    if options.has("v"):
        print(f"  {name}: {info.st_size} in, {os.stat(target).st_size} out.", file=sys.stderr)
    if options.removes:
        os.unlink(name)


def packed_name(options, name):
    for ending in options.codec.endings:
        if options.codec.already and name.endswith(ending):
            refuse(options.codec.already, name=name, ending=ending)
    return name + options.suffix


def unpacked_name(options, name):
    for ending, instead in {**options.codec.endings, options.suffix: ""}.items():
        if name.endswith(ending) and len(name) > len(ending):
            return name[: -len(ending)] + instead
    if options.codec.unnamed:
        refuse(options.codec.unnamed, name=name)
    if not options.has("q"):
        report(options.codec, f"Can't guess original name for {name} -- using {name}.out")
    return name + ".out"


def convert(options, source, out, label, unpacks, size=None):
    """Copies one file to the other through the codec. `out` is None if it only tests, `size` if it is unknown."""
    if not unpacks:
        compressor = options.codec.compressor(options, size)
        while chunk := source.read(CHUNK):
            out.write(compressor.compress(chunk))
        out.write(compressor.flush())
        return
    start = source.peek(8)[:8] if hasattr(source, "peek") else b""
    if not start.startswith(options.codec.starts):
        if start and options.has("f") and options.has("c"):
            return shutil.copyfileobj(source, out)
        refuse(options.codec.foreign, label=label)
    try:
        with options.codec.reader(source) as reader:
            while chunk := reader.read(CHUNK):
                if out:
                    out.write(chunk)
    except (EOFError, ValueError, lzma.LZMAError, zstd.ZstdError):
        refuse(options.codec.damaged, label=label)
    except OSError as error:
        # bz2 raises OSError without an errno.
        if error.errno is not None:
            raise
        refuse(options.codec.damaged, label=label)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
