import { ApiError, post } from './api.js';
import { h } from './dom.js';

/** @param {string} token */
export const login = (token) => post('/api/login', { token });

/**
 * Asked once per device.
 * @param {() => void} onDone
 * @param {string} [problem]
 */
export const loginView = (onDone, problem = '') => {
  const input = h('input', {
    id: 'token',
    type: 'password',
    autocomplete: 'current-password',
    required: true,
    spellcheck: 'false',
    autocapitalize: 'off',
  });
  const error = h('p', { class: 'problem', role: 'alert' }, problem);
  const form = h(
    'form',
    {
      class: 'login',
      onsubmit: (event) => {
        event.preventDefault();
        error.textContent = '';
        login(input.value.trim()).then(onDone, (reason) => {
          error.textContent =
            reason instanceof ApiError ? reason.message : 'That did not work; try again.';
          input.select();
        });
      },
    },
    h('h1', {}, 'afk-bridge'),
    h(
      'p',
      {},
      'This device is new here. Open the link that ',
      h('code', {}, 'afk-bridge ls'),
      ' prints on that machine, or paste the token from the file ',
      h('code', {}, 'web-token'),
      ' in its state directory. It is asked for once.',
    ),
    h('label', { for: 'token' }, 'Token'),
    input,
    error,
    h('button', { type: 'submit', class: 'primary' }, 'Log in'),
  );
  return h('main', { class: 'centre' }, form);
};
