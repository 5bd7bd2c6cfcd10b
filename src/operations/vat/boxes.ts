// The boxes of the Icelandic VAT return (RSK 10.01).
export const BOX_NAMES = ['A', 'B', 'C', 'D', 'E', 'F'] as const;
