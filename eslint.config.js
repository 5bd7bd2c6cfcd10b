import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

// Time, chance and the environment come in as parameters: the simulation drives the real pipeline with virtual ones.
const PURE = [
  { object: 'Date', property: 'now', message: 'Take a Clock: the simulation owns time.' },
  { object: 'Math', property: 'random', message: 'Take Randomness: the simulation owns chance.' },
  { object: 'process', property: 'env', message: 'Configuration is passed in.' },
];

export default tseslint.config(
  {
    ignores: [
      'dist',
      'dist-test',
      'data',
      'coverage',
      'src/store/generated',
      '**/fixtures/**',
      'src/**/assets/**',
      'lab/**/assets/**',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        // One program for all files; the language service would make it anew as it opens them.
        project: './tsconfig.json',
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/unified-signatures': 'off',
      '@typescript-eslint/no-deprecated': [
        'error',
        // Marked so that it stands out: for an identity provider on the loopback, the one that may be without TLS.
        { allow: [{ from: 'package', name: 'allowInsecureRequests', package: 'openid-client' }] },
      ],
      // The compiler forbids enums here (erasableSyntaxOnly), and these rules are a third of the time that linting takes.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
      '@typescript-eslint/no-unsafe-enum-comparison': 'off',
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    // A pattern whose time grows with the square of its input lets one document stop the process.
    files: ['src/**', 'lab/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    files: ['src/pipeline/**', 'src/outbound/**', 'src/sync/**', 'src/domain/**'],
    rules: {
      'no-restricted-properties': ['error', ...PURE],
      'no-restricted-globals': [
        'error',
        { name: 'setTimeout', message: 'Take Timers.' },
        { name: 'setInterval', message: 'Take Timers.' },
        { name: 'setImmediate', message: 'Take Timers.' },
        { name: 'fetch', message: 'The pipeline knows ports, not networks.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "NewExpression[callee.name='Date'][arguments.length=0]", message: 'Take a Clock.' },
      ],
    },
  },
  {
    files: ['test/**'],
    rules: {
      // A test asserts what it got; that every promise is awaited nobody else would notice.
      ...tseslint.configs.disableTypeChecked.rules,
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/require-await': 'error',
      'max-lines-per-function': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['scripts/**', 'bin/**', '*.js', '*.cjs'],
    ...tseslint.configs.disableTypeChecked,
    languageOptions: { parserOptions: { project: null } },
  },
  { files: ['*.cjs'], languageOptions: { globals: { module: 'readonly' } } },
  {
    files: ['scripts/**', 'bin/**'],
    languageOptions: {
      globals: {
        process: 'readonly',
        URL: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        setTimeout: 'readonly',
        Buffer: 'readonly',
        WebAssembly: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
);
