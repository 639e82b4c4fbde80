"""`python3 -m http.server`: Node serves the files, because the library's server needs threads, which some browsers lack."""

import argparse
import os
import subprocess
import sys

SERVER = r"""
const [port, bind, root] = process.argv.slice(1);
const { createServer } = require('http'), fs = require('fs'), path = require('path');
const types = { '.html': 'text/html', '.htm': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.css': 'text/css',
	'.json': 'application/json', '.svg': 'image/svg+xml', '.png': 'image/png', '.jpg': 'image/jpeg', '.jpeg': 'image/jpeg', '.gif': 'image/gif',
	'.ico': 'image/vnd.microsoft.icon', '.txt': 'text/plain', '.md': 'text/markdown', '.py': 'text/x-python', '.xml': 'text/xml',
	'.pdf': 'application/pdf', '.wasm': 'application/wasm', '.csv': 'text/csv' };
const escaped = (text) => text.replace(/[&<>"]/g, (letter) => '&#' + letter.charCodeAt(0) + ';');
const listing = (place, shown) => {
	const names = fs.readdirSync(place, { withFileTypes: true }).map((entry) => entry.name + (entry.isDirectory() ? '/' : '')).sort();
	const title = 'Directory listing for ' + escaped(shown);
	const items = names.map((name) => '<li><a href="' + encodeURI(name).replaceAll('"', '%22') + '">' + escaped(name) + '</a></li>').join('\n');
	return '<!DOCTYPE HTML>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>' + title + '</title>\n</head>\n<body>\n<h1>' + title + '</h1>\n<hr>\n<ul>\n' + items + '\n</ul>\n<hr>\n</body>\n</html>\n';
};
const answer = (request) => {
	if (request.method !== 'GET' && request.method !== 'HEAD') return [501, 'text/plain', 'Unsupported method\n'];
	const shown = decodeURIComponent(request.url.replace(/[?#].*/, ''));
	let place = path.join(root, path.posix.normalize('/' + shown));
	const found = fs.statSync(place, { throwIfNoEntry: false });
	if (found?.isDirectory()) {
		if (!shown.endsWith('/')) return [301, 'text/plain', '', { location: request.url + '/' }];
		const index = ['index.html', 'index.htm'].map((name) => path.join(place, name)).find((file) => fs.existsSync(file));
		if (!index) return [200, 'text/html; charset=utf-8', listing(place, shown)];
		place = index;
	} else if (!found) return [404, 'text/html; charset=utf-8', '<!DOCTYPE HTML>\n<title>Error response</title>\n<h1>Error response</h1>\n<p>Error code: 404</p>\n<p>Message: File not found.</p>\n'];
	return [200, types[path.extname(place).toLowerCase()] ?? 'application/octet-stream', fs.readFileSync(place)];
};
const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
createServer((request, response) => {
	let status = 400, type = 'text/plain', body = 'Bad request\n', headers = {};
	try { [status, type, body, headers = {}] = answer(request); } catch (error) { if (!(error instanceof URIError)) [status, body] = [500, String(error) + '\n']; }
	const now = new Date(), two = (number) => String(number).padStart(2, '0');
	const time = two(now.getDate()) + '/' + months[now.getMonth()] + '/' + now.getFullYear() + ' ' + [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join(':');
	console.error('127.0.0.1 - - [' + time + '] "' + request.method + ' ' + request.url + ' HTTP/1.1" ' + status + ' -');
	response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
	response.end(request.method === 'HEAD' ? undefined : body);
}).on('error', (error) => { console.error('OSError: [Errno 98] ' + (error.code === 'EADDRINUSE' ? 'Address already in use' : error.message)); process.exit(1); })
	.listen(Number(port), bind, function () { const { port } = this.address(); console.log('Serving HTTP on ' + bind + ' port ' + port + ' (http://' + bind + ':' + port + '/) ...'); });
"""


def main():
    parser = argparse.ArgumentParser(prog="http.server")
    parser.add_argument("-b", "--bind", metavar="ADDRESS", default="0.0.0.0")
    parser.add_argument("-d", "--directory", default=os.getcwd())
    parser.add_argument("-p", "--protocol", metavar="VERSION")
    parser.add_argument("--cgi", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("port", default=8000, type=int, nargs="?")
    options = parser.parse_args()
    try:
        return subprocess.run(["node", "-e", SERVER, str(options.port), options.bind, os.path.abspath(options.directory)]).returncode
    except KeyboardInterrupt:
        print("\nKeyboard interrupt received, exiting.")
        return 0


if __name__ == "__main__":
    sys.exit(main())
