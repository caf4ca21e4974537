import { expect, it, onTestFinished } from 'vitest';
import { jsdomStyle, quickComputedStyle } from './computed-style.ts';

const page = `
<div style="visibility: hidden"><p>hidden</p><p style="visibility: visible"><b>shown</b></p></div>
<div style="pointer-events: none"><button>dead</button><button style="pointer-events: auto">alive</button></div>
<div hidden><span>in it</span></div>
<div style="display: none"><span>in it</span></div>
<div style="display: flex"><svg style="visibility: hidden"><path /></svg></div>
<dialog open><h1>open</h1></dialog><dialog><h1>closed</h1></dialog>
<details open><summary>more</summary><p>text</p></details>
<form><input type="hidden" /><input type="checkbox" /><textarea></textarea><select><option>one</option></select></form>
<ul><li>item</li></ul><table><tbody><tr><td>cell</td></tr></tbody></table>
<div popover>over</div><template><p>part</p></template><a href="/">link</a><img alt="" /><p contenteditable>words</p>`;

const asked = ['display', 'visibility', 'pointerEvents'] as const;

it('the quick style of an element is that of jsdom, also beside a style sheet', () => {
  onTestFinished(() => document.body.replaceChildren());
  document.body.innerHTML = page;
  const stylesBy = (read: typeof jsdomStyle) =>
    [...document.querySelectorAll('*')].map((element) => {
      const style = read(element);
      return [element.localName, ...asked.map((name) => style[name]), style.color];
    });
  const expected = stylesBy(jsdomStyle);
  expect(expected.length).toBeGreaterThan(40);
  expect(stylesBy(quickComputedStyle)).toEqual(expected);
  const [paragraph] = document.querySelectorAll('p');
  if (paragraph === undefined) throw new Error('There is no paragraph');
  expect(quickComputedStyle(paragraph).getPropertyValue('visibility')).toBe('hidden');
  const sheet = document.createElement('style');
  sheet.textContent = 'p { display: none }';
  document.head.append(sheet);
  expect(quickComputedStyle(paragraph).display).toBe('none');
  sheet.remove();
  expect(quickComputedStyle(paragraph).display).toBe('block');
});
