import tseslint from 'typescript-eslint';

/** The arrows between the folders of src/: what each may not import. */
const noImport = (files, ...patterns) => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns: patterns.map(([group, message]) => ({ group, message })) }] },
});
const HTTP = [['express', 'node:http', 'passport*'], 'The domain and the stores know no HTTP.'];
const ABOVE = [
  ['**/app.ts', '**/server.ts', '**/cli.ts', '**/commands/**'],
  'Arrows point away from the entry points.',
];

export default tseslint.config(
  {
    ignores: [
      'dist/',
      'generated/',
      'coverage/',
      '**/node_modules/',
      'scripts/bench/results/',
      'test/fixtures/next-operation/',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-empty-function': 'off',
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
      // Express's types for the messages of node:http are wider than the classes.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
    },
  },
  noImport(['src/contract/**'], ABOVE, [
    ['**/plants/**', '**/stores/**', '**/auth/**'],
    'contract/ knows nothing of plants.',
  ]),
  noImport(['src/docs/**'], ABOVE, [['**/plants/**', '**/stores/**', '**/auth/**'], 'docs/ shows any contract.']),
  noImport(['src/auth/**'], ABOVE, [['**/stores/**', '**/plants/**'], 'auth/ knows the TokenStore interface only.']),
  noImport(['src/plants/**', 'src/import/**'], ABOVE, HTTP, [
    ['**/stores/**'],
    'plants/ knows the PlantStore interface only.',
  ]),
  noImport(['src/stores/**'], ABOVE, HTTP),
  {
    // It runs in browsers, and the server's code is no business of a client's.
    files: ['src/client/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\./|\\.\\./\\.\\./generated/|openapi-fetch$|lossless-json$)',
              message: 'client/ knows the contract only: generated/, openapi-fetch and lossless-json.',
            },
          ],
        },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'setImmediate'],
    },
  },
);
