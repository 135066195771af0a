"""Runs of oracles that are language servers: a server stays, and each candidate is an edit for it.

Two ideas carry everything here. What a server reports becomes standard output, one line of JSON per
diagnostic, so that criteria, signatures and the cache need to know nothing of servers. And the end of
a server is an outcome like that of any command: after it, or after a time-out, the next candidate
starts another one.

An editor that is asked for its own diagnostics is the same from the outside, but nothing is started.

Modules, in reading order:

    language_server  `LanguageServerExecutor`: free servers, limits, and from diagnostics to a `Run`
    server_session   one process of a server, and the conversation with it
    server_client    the client's side of the protocol, by pygls; the pace of a server
    editor_executor  `EditorExecutor`: asks the front end, which knows the diagnostics of its tools

`pollard.executors` imports `language_server` only when an oracle is one, since pygls takes a moment to
load.
"""
