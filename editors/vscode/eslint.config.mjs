import tseslint from 'typescript-eslint';

export default tseslint.config(
    { ignores: ['dist/', 'out/', 'bundled/', 'node_modules/'] },
    {
        files: ['src/**/*.ts', 'test/**/*.ts'],
        extends: [...tseslint.configs.strictTypeChecked, ...tseslint.configs.stylisticTypeChecked],
        languageOptions: { parserOptions: { projectService: true } },
        rules: {
            '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
            '@typescript-eslint/no-confusing-void-expression': [
                'error',
                { ignoreArrowShorthand: true },
            ],
            '@typescript-eslint/explicit-function-return-type': [
                'error',
                { allowExpressions: true },
            ],
            // A test is a promise only because `node:test` gives one back.
            '@typescript-eslint/no-floating-promises': [
                'error',
                {
                    allowForKnownSafeCalls: [
                        { from: 'package', name: 'test', package: 'node:test' },
                    ],
                },
            ],
            complexity: ['error', 10],
            'max-lines': ['error', 200],
        },
    },
);
