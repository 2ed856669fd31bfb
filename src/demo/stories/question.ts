import type { Script, Step } from '../tui/script.ts';
import { bash, read } from '../tui/tools.ts';

const server = `const app = new Hono();
app.get('/v1/prices', prices);
app.post('/v1/orders', createOrder);
app.post('/v1/login', login);
`;

const chosen = (where: string, note: string): readonly Step[] => [
  { type: 'wait', ms: 1000 },
  bash(`npm test -- rate-limit`, 2500, ' Tests  7 passed (7)'),
  {
    type: 'say',
    text: `The limit is in: 60 requests a minute for each key, counted in **${where}**. ${note}\n\nWhat should a caller see when the limit is reached? At the moment it is a plain \`429\` with \`Retry-After\`.`,
    ms: 2000,
  },
];

/** Asks where the counters shall live and goes on as it was answered. */
export const question: Script = {
  name: 'question',
  isLoop: false,
  scenes: [
    {
      afterMs: 2500,
      prompt: 'Our public API needs a rate limit. Please add one.',
      steps: [
        { type: 'wait', ms: 1500 },
        { type: 'say', text: 'I look at how requests come in.', ms: 600 },
        read('src/server.ts', server),
        bash('cat package.json | grep -i redis', 700, '"ioredis": "^5.4.1",'),
        {
          type: 'say',
          text: 'There are three public routes, and one decision that is yours.',
          ms: 900,
        },
        {
          type: 'ask',
          questions: [
            {
              question: 'Where should the counters live?',
              header: 'Counters',
              multiSelect: false,
              options: [
                {
                  label: 'Redis',
                  description: 'Shared by all instances; Redis is a dependency already',
                },
                {
                  label: 'In memory',
                  description: 'Simplest; every instance counts on its own',
                },
                {
                  label: 'Postgres',
                  description: 'Nothing new to run, one more query for each request',
                },
              ],
            },
          ],
          branches: [
            { answer: 'Redis', steps: chosen('Redis', 'All instances share one count.') },
            {
              answer: 'In memory',
              steps: chosen(
                'memory',
                'With three instances a caller may get three times the limit.',
              ),
            },
            {
              answer: 'Postgres',
              steps: chosen('Postgres', 'Each request costs one more query of about 1 ms.'),
            },
          ],
          otherwise: [
            { type: 'wait', ms: 800 },
            {
              type: 'say',
              text: 'Thank you, that is not one of my three. I follow your own words:\n\n> {result}',
              ms: 1500,
            },
          ],
        },
      ],
    },
  ],
  reply: [
    { type: 'wait', ms: 1000 },
    {
      type: 'say',
      text: 'Noted: “{prompt}”. (The scripted agent of the demo; a real one would go on with it.)',
      ms: 1200,
    },
  ],
};
