/** `node --help`. */
export const HELP = `Usage: node [options] [ script.js ] [arguments]
       node --test [files]

Options:
  -                         script read from stdin
  -c, --check               syntax check script without executing
  -e, --eval=...            evaluate script
  -p, --print [...]         evaluate script and print result
  -r, --require=...         CommonJS module to preload
  --import=...              ES module to preload
  --input-type=...          module or commonjs, for -e and stdin
  --test                    run tests in this directory, or in the given files
  --test-name-pattern=...   run tests whose name matches
  --test-only               run tests with the option only
  --test-reporter=...       spec, tap, dot or junit
  -v, --version             print the version
`;
