import { blue, bold, grey, placeholder, reverse, rule, style } from './draw-style.ts';
import { entriesOf, type Menu } from './menu.ts';
import { wrap } from './text.ts';

/** `❯ 1. Yes`; an entry without a number in the trust dialog and the rewind menu. */
const entries = (menu: Menu, indent: number, isNumbered: boolean): string[] =>
  entriesOf(menu).map((label, row) => {
    const isHere = row === menu.cursor;
    const sign = isHere ? `${blue('❯')} ` : '  ';
    const number = isNumbered ? grey(`${row + 1}. `) : '';
    return ' '.repeat(indent) + sign + number + (isHere ? blue(label) : label);
  });

const drawApproval = (menu: Menu & { kind: 'approval' }, columns: number): string[] => {
  const { approval } = menu;
  return [
    rule(columns, 153),
    ` ${style('1;38;5;153', approval.title)}`,
    ...(approval.note ? [` ${grey(approval.note)}`] : []),
    rule(columns, 239, '╌'),
    ...approval.body.flatMap((line) => wrap(line, columns - 2).map((l) => ` ${l.text}`)),
    rule(columns, 239, '╌'),
    ` ${approval.question}`,
    ...entries(menu, 1, true),
    '',
    ` ${grey('Esc to cancel · Tab to amend')}`,
  ];
};

const drawPlan = (menu: Menu & { kind: 'plan' }, columns: number): string[] => {
  const list = entries(menu, 3, true);
  if (menu.isTyping) {
    const typed =
      menu.words === '' ? placeholder('Tell Claude what to change') : menu.words + reverse(' ');
    list[2] = `   ${blue('❯')} ${grey('3. ')}${typed.replaceAll('\n', ' ')}`;
  }
  return [
    rule(columns, 153, '▔'),
    '',
    rule(columns, 73, '─', 2),
    `   ${style('1;38;5;153', 'Ready to code?')}`,
    '',
    "   Here is Claude's plan:",
    rule(columns, 239, '╌', 2),
    ...menu.plan
      .trim()
      .split('\n')
      .flatMap((line) =>
        line.startsWith('# ')
          ? [`   ${style('1;3;4', line.slice(2))}`]
          : wrap(line, columns - 6).map((l) => `   ${l.text}`),
      ),
    rule(columns, 239, '╌', 2),
    '',
    rule(columns, 73, '─', 2),
    `   ${grey('Claude has written up a plan and is ready to execute. Would you like to proceed?')}`,
    '',
    ...list,
    `        ${grey('shift+tab to approve with this feedback')}`,
    '',
    `   ${grey(`ctrl+g to edit in Vim · ${menu.file}`)}`,
  ];
};

const drawTrust = (menu: Menu, columns: number, cwd: string): string[] => [
  '',
  rule(columns, 220),
  ` ${style('1;38;5;220', 'Accessing workspace:')}`,
  '',
  ` ${bold(cwd)}`,
  '',
  ...wrap(
    "Quick safety check: Is this a project you created or one you trust? (Like your own code, a well-known open source project, or work from your team). If not, take a moment to review what's in this folder first.",
    columns - 2,
  ).map((line) => ` ${line.text}`),
  '',
  " Claude Code'll be able to read, edit, and execute files here.",
  '',
  ` ${grey('Security guide')}`,
  '',
  ...entries(menu, 1, false),
  '',
  ` ${grey('Enter to confirm · Esc to cancel')}`,
];

const drawList = (menu: Menu & { kind: 'menu' }, columns: number): string[] => [
  rule(columns, 153, '▔'),
  `  ${style('1;38;5;153', menu.title)}`,
  '',
  ...(menu.title === 'Rewind'
    ? ['  Restore the code and/or conversation to the point before…', '']
    : []),
  ...entries(menu, 2, false),
  '',
  `  ${style('3;38;5;246', menu.title === 'Rewind' ? 'Enter to continue · Esc to cancel' : 'Esc to cancel')}`,
];

/** The lines of an open menu; the trust dialog is a screen of its own. */
export const drawMenu = (menu: Menu, columns: number, cwd: string): string[] => {
  switch (menu.kind) {
    case 'approval':
      return drawApproval(menu, columns);
    case 'plan':
      return drawPlan(menu, columns);
    case 'trust':
      return drawTrust(menu, columns, cwd);
    case 'menu':
      return drawList(menu, columns);
  }
};
