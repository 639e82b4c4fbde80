/**
 * Script for the page: finds problems that any page may have. Its value is a list of sentences.
 */
export const AUDIT = String.raw`
const found = [];
const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.getBoundingClientRect().width > 0;
const name = (element) => element.localName + ' “' + (element.textContent || element.value || element.alt || '').trim().slice(0, 40) + '”';
const all = [...document.body.querySelectorAll('*')].filter((element) => !['SCRIPT', 'STYLE'].includes(element.tagName) && isShown(element));
const ownText = (element) => [...element.childNodes].filter((node) => node.nodeType === 3 && node.data.trim() !== '');
const inDialog = document.querySelector('dialog[open]');
const reach = (element) => !inDialog || inDialog.contains(element);

for (const image of document.images) if (image.complete && image.naturalWidth === 0 && image.getAttribute('src')) found.push('broken picture: ' + image.getAttribute('src'));
if (document.documentElement.scrollWidth > innerWidth + 1) found.push('the page is wider than its window of ' + innerWidth);

for (const element of all) {
	const style = getComputedStyle(element);
	const hides = (value) => value === 'hidden' || value === 'clip';
	const isCut = (hides(style.overflowX) && element.scrollWidth > element.clientWidth + 2) || (hides(style.overflowY) && element.scrollHeight > element.clientHeight + 2);
	if (isCut && element.innerText.trim() !== '') found.push('text is cut off: ' + name(element));
}

for (const element of document.querySelectorAll('a[href], button, input, select')) {
	if (!isShown(element) || !reach(element)) continue;
	element.scrollIntoView({ block: 'center' });
	const box = element.getBoundingClientRect();
	const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
	if (!top || !(element.contains(top) || top.contains(element) && top.localName === 'label')) found.push('something covers ' + name(element));
}
scrollTo(0, 0);

const boxes = all.filter(reach).flatMap((element) => ownText(element).flatMap((node) => {
	const range = document.createRange();
	range.selectNodeContents(node);
	return [...range.getClientRects()].map((box) => ({ element, box }));
})).concat([...document.images].filter(isShown).filter(reach).map((element) => ({ element, box: element.getBoundingClientRect() })));
for (const [index, one] of boxes.entries())
	for (const other of boxes.slice(index + 1)) {
		if (one.element.contains(other.element) || other.element.contains(one.element)) continue;
		const width = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
		const height = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
		const smaller = Math.min(one.box.width * one.box.height, other.box.width * other.box.height);
		if (width > 0 && height > 0 && width * height > smaller * 0.3) found.push(name(one.element) + ' and ' + name(other.element) + ' overlap');
	}

const channels = (colour) => { const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number); return { r, g, b, a }; };
const light = ({ r, g, b }) => {
	const [x, y, z] = [r, g, b].map((value) => value / 255).map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
	return 0.2126 * x + 0.7152 * y + 0.0722 * z;
};
const behind = (element) => {
	for (let each = element; each; each = each.parentElement) {
		const colour = channels(getComputedStyle(each).backgroundColor);
		if (colour.a > 0.5) return colour;
	}
	return matchMedia('(prefers-color-scheme: dark)').matches ? { r: 18, g: 18, b: 18 } : { r: 255, g: 255, b: 255 };
};
for (const element of all) {
	if (ownText(element).length === 0) continue;
	const [a, b] = [light(channels(getComputedStyle(element).color)), light(behind(element))];
	const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
	if (ratio < 4.5) found.push('low contrast of ' + ratio.toFixed(1) + ': ' + name(element));
}
return found;`;
