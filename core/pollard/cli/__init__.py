"""The command line `pollard`: options in, exit code out.

A command turns options and settings into the engine's objects, lets the engine work, and reports.
No other package imports this one. It imports the settings, the oracle, the passes and
`pollard.reduction`; `demo` and `serve` start the language server.

Three ideas explain most of the code:

**Importing costs time.** `pollard --help` must be instant, so `main.LazyGroup` imports a command's
module when it is called, and commands import the engine inside functions (`noqa: PLC0415`). A test
lists the modules that `--help` must not load.

**Every error is one sentence.** What a user can cause is a `PollardError` or `click.UsageError`;
`main.run` prints it and returns exit code 2. A traceback appears with `--debug` only. The exit
codes are in `console`.

**Nothing is lost.** The best text is on disk from the first accepted candidate on (`output`), so a
crash, a signal or a closed terminal leaves a result. The reduction runs in a thread while the main
thread draws and handles signals (`session`): the first Ctrl-C stops it, the second one exits.

Modules, in reading order:

    main            the `pollard` group, errors to exit codes; the commands `demo` and `serve`
    options         options that commands share, and how they become an `OracleRequest`
    target          the file, its language, its oracle; how the words of COMMAND are resolved
    diagnosing      `--diagnostic TOOL` without a code
    reduce_options  the options of `pollard reduce`, and what of the settings they choose
    reduce          `pollard reduce`: the command, and the plan of a file
    session         one reduction from its start to its exit code
    output          where the result is written: beside FILE, in place, or to standard output
    folders         a room of its own: directories and several files
    setup           a room of its own: `pollard init`
    report_files    `pollard report` and `--report`: a page, or a bug report in Markdown
    reports         lines for people; `--stats` and `--events` as JSON
    progress        the live display on a terminal
    inspection      `check`, `languages`, `strategies`, `tree`
    sandbox         `pollard sandbox`, and the consent to do without one
    console         exit codes, messages on standard error, signals

To add a command: write it in a module here, and add its name and its line of help to `_COMMANDS` in
`main`.
"""
