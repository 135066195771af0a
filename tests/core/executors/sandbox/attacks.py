"""Hostile programs, as shell scripts. Each tries to do harm outside its directory, or to stay alive.

They may only run where nothing but decoys can be harmed: `hostile` is the program that runs them, in a
throw-away system that `test_hostile` makes. Where a script can tell that it was denied something, it
ends with exit code 0 only if it was. All are bounded in time, count and size.
"""

from __future__ import annotations

_PYTHON = "exec python3 -I - <<'END'\n{}\nEND\n"

# What Landlock does not keep a run from. A run that killed itself is not interesting, and nobody can
# ask Landlock what it would deny.
NOT_BY_LANDLOCK = (
    "changes permissions",
    "kills its parent",
    "kills all processes",
    "may change the kernel",
)

# It takes a second or more, so only the first round has it.
ONCE = "prints a gigabyte"

ATTACKS = {
    "deletes the home directory": 'rm -rf "$HOME"/* "$HOME"/.[a-z]*; exit 0',
    "deletes everything": "timeout 1 rm -rf --no-preserve-root / 2>/dev/null; exit 0",
    "deletes what an empty variable leaves": 'cd /; rm -rf "$UNSET"/home "$UNSET"/srv; exit 0',
    "overwrites the original and the settings": (
        'for file in "$HOME"/project/*; do echo broken > "$file"; done; exit 0'
    ),
    "replaces a device": (
        "rm -f /dev/null; echo x > new; mv new /dev/null; cp /bin/true /dev/null; test -c /dev/null"
    ),
    "makes a device": "mknod disk b 254 0 2>/dev/null && exit 1; exit 0",
    "starts 200 processes": "for n in $(seq 200); do sleep 60 & done; exit 0",
    "starts daemons": "(setsid sh -c 'sleep 60 & sleep 60' >/dev/null 2>&1 &) ; exit 0",
    "starts daemons without an environment": "(env -i setsid sleep 60 >/dev/null 2>&1 &); exit 0",
    "ignores signals": "trap '' HUP INT TERM QUIT PIPE; (trap '' TERM; sleep 60) & exit 0",
    "fills the disk": (
        "head -c 30000000 /dev/zero > big; head -c 30000000 /dev/zero > /tmp/big; "
        "head -c 30000000 /dev/zero > /dev/shm/big; exit 0"
    ),
    "prints much": "yes | head -c 30000000; exit 0",
    ONCE: "head -c 1000000000 /dev/zero; exit 0",
    "writes shared memory": "echo broken > /dev/shm/decoy; rm -f /dev/shm/*; ipcrm -a; exit 0",
    "kills its parent": "kill -9 $PPID; kill -STOP $PPID; exit 0",
    "kills all processes": "trap 'exit 0' TERM; kill -TERM -1; kill -STOP 1; exit 0",
    "traces its parent": _PYTHON.format(
        "import ctypes, os, sys\n"
        "attached = ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0)\n"
        "try:\n    open(f'/proc/{os.getppid()}/mem', 'r+b').write(b'x')\n"
        "except OSError:\n    sys.exit(attached == 0)\n"
        "sys.exit(1)"
    ),
    "opens a socket to the machine": _PYTHON.format(
        "import os, socket, sys\n"
        "try:\n    socket.create_connection(('127.0.0.1', int(open(os.path.expanduser("
        "'~/port')).read())), 2).sendall(b'harm')\n"
        "except OSError:\n    sys.exit(0)\n"
        "sys.exit(1)"
    ),
    "opens an abstract socket": _PYTHON.format(
        "import socket, sys\n"
        "try:\n    socket.socket(socket.AF_UNIX).connect('\\0decoy')\n"
        "except OSError:\n    sys.exit(0)\n"
        "sys.exit(1)"
    ),
    "opens a socket that is a file": _PYTHON.format(
        "import os, socket, sys\n"
        "try:\n    socket.socket(socket.AF_UNIX).connect(os.path.expanduser('~/service'))\n"
        "except OSError:\n    sys.exit(0)\n"
        "sys.exit(1)"
    ),
    "connects while it sends": _PYTHON.format(
        "import os, socket, sys\n"
        "port, fast_open = int(open(os.path.expanduser('~/port')).read()), 0x20000000\n"
        "try:\n    socket.socket().sendto(b'harm', fast_open, ('127.0.0.1', port))\n"
        "except OSError:\n    sys.exit(0)\n"
        "sys.exit(1)"
    ),
    "changes whom to trust": (
        'mkdir -p "$HOME/.ssh"; echo key >> "$HOME/.ssh/authorized_keys"; '
        'echo "[core]" >> "$HOME/.gitconfig"; cp /bin/sh "$HOME/bin/ls"; exit 0'
    ),
    "writes Pollard's own files": (
        'echo broken > "$POLLARD_STATE_DIR/journal"; rm -rf "$POLLARD_STATE_DIR" '
        '"$POLLARD_CACHE_DIR"; exit 0'
    ),
    "writes through a symbolic link": 'ln -s "$HOME/victim" link; echo broken > link; exit 0',
    "writes through a hard link": 'ln "$HOME/victim" link; echo broken > link; exit 0',
    "leaves a link in place of its directory": (
        'here=$PWD; cd ..; rm -rf "$here"; ln -s "$HOME" "$here"; exit 0'
    ),
    "leaves a link beside its directory": 'ln -s "$HOME" ../link; exit 0',
    "writes through /proc": (
        "for root in /proc/1/root /proc/self/root /proc/1/cwd /proc/$PPID/root; do "
        'echo broken > "$root$HOME/victim"; done; exit 0'
    ),
    "uses a set-uid program": (
        "sudo -n true && exit 1; su -c true </dev/null && exit 1; "
        'mount -o remount,rw / && exit 1; umount "$HOME" && exit 1; exit 0'
    ),
    "makes namespaces of its own": (
        "unshare -Urm sh -c 'mount -o remount,bind,rw /; echo broken > \"$HOME/victim\"'; exit 0"
    ),
    "uses inherited descriptors": (
        "for descriptor in /proc/self/fd/*; do case ${descriptor##*/} in 0|1|2|10|255) ;; "
        '*) [ -e "$descriptor" ] && ls -l "$descriptor" >&2 && exit 1;; esac; done; exit 0'
    ),
    "changes permissions": (
        'chmod 000 "$HOME/victim" "$HOME/project"; chown 1:1 "$HOME/victim"; '
        'touch -d 2001-01-01 "$HOME/victim"; exit 0'
    ),
    "reads secrets": (
        'cat "$HOME/.ssh/id_ed25519" && exit 1; cat "$HOME/.netrc" | grep -q decoy && exit 1; exit 0'
    ),
    "reads secrets in the environment": "env | grep -q decoy-token && exit 1; exit 0",
    # Only asked, never done: no outer system could keep the kernel's settings from harm.
    "may change the kernel": (
        "find /proc /sys -path '/proc/[0-9]*' -prune -o -path /proc/pressure -prune -o -type f "
        "-writable -print 2>/dev/null | grep -q . && exit 1; exit 0"
    ),
    "makes its directory unreadable": "mkdir -p a/b; touch a/b/c; chmod 000 a .; chmod 000 ..; exit 0",
}

# Of two runs at a time, one tries to end the other.
SIBLING = "sleep 1; echo alive"
KILLS_SIBLINGS = (
    "for process in /proc/[0-9]*; do number=${process#/proc/}; "
    '[ "$number" = $$ ] || [ "$number" = $PPID ] || kill -9 "$number"; done; exit 0'
)
