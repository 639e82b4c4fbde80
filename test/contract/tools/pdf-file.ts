/** A small PDF with one line of text per line of each page; `locked`: encrypted with an unknown password. */
export function pdfFile(pages: string[][], { locked = false } = {}): Uint8Array {
	const objects = ['<< /Type /Catalog /Pages 2 0 R >>', '', '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'];
	const kids = pages.map((lines) => {
		const content = `BT /F1 12 Tf 14 TL 72 720 Td ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
		objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
		objects.push(
			`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`
		);
		return `${objects.length} 0 R`;
	});
	objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
	let trailer = '/Root 1 0 R';
	if (locked) {
		const key = 'A'.repeat(32);
		objects.push(`<< /Filter /Standard /V 1 /R 2 /O (${key}) /U (${key}) /P -4 >>`);
		trailer += ` /Encrypt ${objects.length} 0 R /ID [<${'41'.repeat(16)}> <${'41'.repeat(16)}>]`;
	}
	let file = '%PDF-1.4\n';
	const places = objects.map((object, index) => {
		const place = file.length;
		file += `${index + 1} 0 obj\n${object}\nendobj\n`;
		return place;
	});
	const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
	const count = objects.length + 1;
	file += `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} ${trailer} >>\nstartxref\n${file.length}\n%%EOF\n`;
	return new TextEncoder().encode(file);
}
