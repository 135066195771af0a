"""`pollard init`: sets up an oracle for a file.

    wizard_questions  what is asked, and what must be given where nobody can answer
    initialising      the command: tries the oracle, shows it, and writes it to the settings

The room imports `options`, `console` and others beside it; only `main` imports it.
"""
