import js from "@eslint/js";
import globals from "globals";

export default [
  { ignores: [".venv/", "node_modules/"] },
  js.configs.recommended,
  { files: ["tests/page/*.js"], languageOptions: { globals: globals.browser } },
  { files: ["tests/outside/*.mjs"], languageOptions: { globals: globals.node } },
  {
    files: ["bot/chats/web/static/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    rules: {
      eqeqeq: "error",
      "no-shadow": "error",
      "no-var": "error",
      "prefer-const": "error",
      // Nothing is ever put into the page as HTML, and nothing is run that came as text.
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-restricted-properties": [
        "error",
        { property: "innerHTML" },
        { property: "outerHTML" },
        { property: "insertAdjacentHTML" },
      ],
    },
  },
];
