import type { DialogQuestion } from '../bridge/model/conversation.ts';

const colour: DialogQuestion = {
  question: 'Which colour shall it be?',
  header: 'Colour',
  multiSelect: false,
  options: [
    { label: 'Red', description: 'Like a rose' },
    { label: 'Green', description: 'Like grass' },
    { label: 'Blue', description: 'Like the sky' },
  ],
};
const toppings: DialogQuestion = {
  question: 'Which toppings?',
  header: 'Toppings',
  multiSelect: true,
  options: [
    { label: 'Cheese', description: 'Melted' },
    { label: 'Olives', description: 'Black ones' },
    { label: 'Basil', description: 'Fresh' },
    { label: 'Onion', description: 'Red' },
  ],
};
const size: DialogQuestion = {
  question: 'How large?',
  header: 'Size',
  multiSelect: false,
  options: [
    { label: 'Small', description: 'For one' },
    { label: 'Large', description: 'For two' },
  ],
};
const layout: DialogQuestion = {
  question: 'Which layout?',
  header: 'Layout',
  multiSelect: false,
  options: [
    { label: 'Rows', description: 'One below the other', preview: 'AAAA\nBBBB' },
    { label: 'Columns', description: 'Side by side', preview: 'AA BB\nAA BB' },
  ],
};

/**
 * Questions of `#ask …`, the same as the scripted API has for the real program: nothing (one
 * question), `multi`, `two`, `mixed`, `previews`, `other`, or the questions themselves as JSON.
 */
export const questionsFor = (variant: string): readonly DialogQuestion[] => {
  switch (variant) {
    case 'multi':
      return [toppings];
    case 'two':
      return [colour, size];
    case 'mixed':
      return [colour, toppings];
    case 'previews':
      return [layout];
    case 'other':
      return [size];
    default:
      break;
  }
  if (!variant.startsWith('[')) return [colour];
  const questions: unknown = JSON.parse(variant);
  return Array.isArray(questions) ? (questions as DialogQuestion[]) : [colour];
};
