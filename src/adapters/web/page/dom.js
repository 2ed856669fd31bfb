/**
 * @typedef {Node | string | number | false | null | undefined} Child
 * @typedef {Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>} Props
 */

/**
 * Makes an element. Text is always text, never markup. `onclick` and its like are listeners, a
 * boolean is an attribute that is there or not.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const h = (tag, props = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(...nodes(children));
  return element;
};

/** @param {readonly (Child | readonly Child[])[]} children */
const nodes = (children) => {
  /** @type {(Node | string)[]} */
  const kept = [];
  for (const child of children.flat()) {
    if (child === false || child === null || child === undefined) continue;
    kept.push(child instanceof Node ? child : String(child));
  }
  return kept;
};

/**
 * @param {string} selector
 * @returns {HTMLElement}
 */
export const must = (selector) => {
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement) return found;
  throw new Error(`${selector} is not on the page`);
};

/**
 * Brings the children of `parent` to the wanted ones by key; an element whose mark is unchanged
 * stays, with its focus, selection and scroll position.
 * @param {HTMLElement} parent
 * @param {readonly { key: string, mark: string, make: () => HTMLElement }[]} wanted
 */
export const reconcile = (parent, wanted) => {
  const known = new Map();
  for (const child of parent.children) {
    if (child instanceof HTMLElement && child.dataset.key) known.set(child.dataset.key, child);
  }
  let at = parent.firstElementChild;
  for (const { key, mark, make } of wanted) {
    const before = known.get(key);
    known.delete(key);
    let element = before;
    if (before === undefined || before.dataset.mark !== mark) {
      element = make();
      element.dataset.key = key;
      element.dataset.mark = mark;
      if (before !== undefined) {
        if (at === before) at = element;
        before.replaceWith(element);
      }
    }
    if (element === at) at = at?.nextElementSibling ?? null;
    else parent.insertBefore(element, at);
  }
  for (const old of known.values()) old.remove();
};

/** @param {string} text */
export const announce = (text) => {
  must('#announce').textContent = text;
};

/**
 * A command with a button that copies it.
 * @param {string} command
 */
export const commandLine = (command) =>
  h(
    'span',
    { class: 'command' },
    h('code', {}, command),
    h(
      'button',
      {
        type: 'button',
        class: 'small quiet',
        'aria-label': `Copy ${command}`,
        onclick: (event) => {
          const button = event.currentTarget;
          navigator.clipboard.writeText(command).then(
            () => {
              if (button instanceof HTMLElement) button.textContent = 'Copied';
            },
            () => announce('Copying is not allowed here; select the text instead.'),
          );
        },
      },
      'Copy',
    ),
  );
