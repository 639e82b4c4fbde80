/** Typical tests of components, with the globals of either tool: each passes in a browser, in vitest and in jest. */
export const COMPONENT_TESTS = `
import { Component, useEffect, useState } from 'react';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';

function Counter() {
	const [count, setCount] = useState(0);
	return <button onClick={() => setCount(count + 1)}>clicked {count}</button>;
}
function Width() {
	const [width, setWidth] = useState(window.innerWidth);
	useEffect(() => {
		const resize = () => setWidth(window.innerWidth);
		window.addEventListener('resize', resize);
		return () => window.removeEventListener('resize', resize);
	}, []);
	return <p>width {width}</p>;
}
function Bad() {
	throw new Error('bad');
}
class Boundary extends Component {
	state = { error: null };
	static getDerivedStateFromError(error) {
		return { error };
	}
	render() {
		return this.state.error ? <p>caught {this.state.error.message}</p> : this.props.children;
	}
}

afterEach(cleanup);

test('a click', () => {
	render(<Counter />);
	fireEvent.click(screen.getByRole('button'));
	expect(screen.getByRole('button').textContent).toBe('clicked 1');
});
test('keys', async () => {
	render(<input aria-label="name" />);
	await userEvent.type(screen.getByLabelText('name'), 'Ada');
	expect(screen.getByLabelText('name').value).toBe('Ada');
});
test('a listener of the window', () => {
	render(<Width />);
	act(() => {
		window.innerWidth = 321;
		window.dispatchEvent(new Event('resize'));
	});
	expect(screen.getByText('width 321')).toBeTruthy();
});
test('an error boundary', () => {
	render(<Boundary><Bad /></Boundary>);
	expect(screen.getByText('caught bad')).toBeTruthy();
});
test("React's development events", () => {
	const element = document.createElement('react');
	const event = document.createEvent('Event');
	let heard = 0;
	const listen = () => heard++;
	window.addEventListener('error', listen);
	element.addEventListener('react-invoke', listen);
	event.initEvent('react-invoke', false, false);
	element.dispatchEvent(event);
	window.removeEventListener('error', listen);
	expect(heard).toBe(1);
});
test('one world of errors and lists', async () => {
	expect([[] instanceof Array, new TypeError('x') instanceof Error, window === globalThis]).toEqual([true, true, true]);
	await expect(Promise.reject(new RangeError('r'))).rejects.toBeInstanceOf(RangeError);
});
`;
