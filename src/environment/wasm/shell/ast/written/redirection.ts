import type { Redirection } from './nodes.ts';
import { Reader, Unreadable } from './reader.ts';

const OPERATOR = /^(\d+|\{\w+\})?(<<<|<<-|<<|&>>|&>|>>|>&|<&|<>|>\||<(?!\()|>(?!\())/;

/** Takes a redirection, if one stands here, and adds it as bash prints it. @throws Unreadable */
export function readRedirection(reader: Reader, into: Redirection[]): boolean {
	const found = reader.match(OPERATOR);
	if (!found || (found[1] && found[2]?.startsWith('&'))) return false;
	const [whole, number = '', operator = ''] = found;
	reader.at += whole.length;
	reader.blanks();
	const word = reader.word();
	if (word === '') throw new Unreadable('no target');
	if (operator.startsWith('<<') && operator !== '<<<') into.push(hereDocument(reader, number, operator, word));
	else into.push({ text: written(number, operator, word) });
	return true;
}

function written(number: string, operator: string, word: string): string {
	if (operator === '>&' || operator === '<&') {
		const from = number || (operator === '>&' ? '1' : '0');
		if (word.startsWith('$')) return `${number}${operator}${word}`;
		if (word === '-') return `${from}>&-`;
		if (/^\d+-?$/.test(word)) return `${from}${operator}${word}`;
		if (number === '' && operator === '>&') return `&> ${word}`;
		return `${from}${operator}${word}`;
	}
	if (operator === '<>') return `${number || '0'}<> ${word}`;
	const usual = operator === '>' || operator === '>>' || operator === '>|' ? '1' : '0';
	return `${number === usual ? '' : number}${operator} ${word}`;
}

function hereDocument(reader: Reader, number: string, operator: string, word: string): Redirection {
	const delimiter = word.replace(/\\(.)|['"]/g, '$1');
	const redirection: Redirection = {
		text: `${number}${operator}${delimiter === word ? word : `'${delimiter}'`}`,
		body: ''
	};
	reader.awaitHereDocument(delimiter, operator === '<<-', (body) => (redirection.body = `${body}${delimiter}\n`));
	return redirection;
}
