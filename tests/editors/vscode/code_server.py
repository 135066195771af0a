"""A running Visual Studio Code: a code-server with its own extensions and settings."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest

_HERE = Path(__file__).parent
# Extensions of the tests: exact facts about documents, and language servers that a folder names.
_OWN = ("probe", "servers")
_START_SECONDS = 90.0
# Ends the whole process group when the tests end, even if they are killed: then the pipe closes.
_GUARD = '{ "$@" </dev/null; kill -TERM 0; } & read -r _; kill -TERM 0'

#: Opens the list of code actions. Ctrl+. would choose the first one if the list opens just then.
ACTIONS_KEY = {
    "key": "alt+f9",
    "command": "editor.action.quickFix",
    "when": "textInputFocus && !editorReadonly",
}
#: Settings that keep the editor quiet and make every start the same.
QUIET = {
    "chat.disableAIFeatures": True,
    "diffEditor.useInlineViewWhenSpaceIsLimited": False,
    "editor.minimap.enabled": False,
    "extensions.autoUpdate": False,
    "files.autoSave": "off",
    "files.hotExit": "off",
    "git.enabled": False,
    "security.workspace.trust.banner": "never",
    "telemetry.telemetryLevel": "off",
    "typescript.disableAutomaticTypeAcquisition": True,
    "update.mode": "none",
    "window.dialogStyle": "custom",
    "workbench.colorTheme": "Default Light Modern",
    "workbench.editor.restoreEditors": False,
    "workbench.secondarySideBar.defaultVisibility": "hidden",
    "workbench.startupEditor": "none",
    "workbench.tips.enabled": False,
}


def program(variable: str, names: list[str]) -> str:
    """Return the program that the environment variable names, else the first of `names` that exists."""
    for name in [os.environ[variable]] if os.environ.get(variable) else names:
        if found := shutil.which(str(Path(name).expanduser())):
            return found
    pytest.fail(
        f"{names[0]} was not found: run tests/editors/vscode/setup, or set {variable}",
        pytrace=False,
    )


def editors_folder() -> Path:
    """Where `setup` installs code-server and its Node."""
    cache = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    named = os.environ.get("POLLARD_EDITORS") or f"{cache}/pollard-editors"
    return Path(named).expanduser()


@dataclass
class CodeServer:
    """A code-server in its own folder and process group; `settings` are the user's."""

    folder: Path
    extensions: list[Path]
    settings: Mapping[str, object]
    environment: Mapping[str, str]
    options: list[str] = field(default_factory=list)
    port: int = 0
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def probes(self) -> Path:
        """The folder where each window's probe writes its address."""
        return self.folder / "probes"

    @property
    def log(self) -> str:
        """The end of its output, for error messages."""
        return (self.folder / "log").read_text(errors="replace")[-3000:]

    def start(self) -> CodeServer:
        """Install the extensions, write the settings, start the server, and wait until it answers."""
        self.probes.mkdir(parents=True)
        (self.folder / "config.yaml").write_text("auth: none\ncert: false\n")
        self.configure()
        own = [_pack(_HERE / name, self.folder / f"{name}.vsix") for name in _OWN]
        installs = [f"--install-extension={one}" for one in [*own, *self.extensions]]
        done = subprocess.run(
            self._command(*installs),
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
            timeout=_START_SECONDS,
        )
        assert done.returncode == 0, f"extensions cannot be installed: {done.stdout}{done.stderr}"
        self.port = _free_port()
        with (self.folder / "log").open("wb") as log:
            self.process = subprocess.Popen(
                ["/bin/sh", "-c", _GUARD, "sh", *self._command(*self._run_options())],
                env=self._environment(),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._wait()
        return self

    def configure(self) -> None:
        """Write the settings: the editor's and a key for the user, Pollard's for the remote machine.

        In a remote window, a user's setting of scope "machine" only applies for the first second.
        """
        files = {
            "User/settings.json": dict(QUIET),
            "User/keybindings.json": [ACTIONS_KEY],
            "Machine/settings.json": dict(self.settings),
        }
        for name, content in files.items():
            file = self.folder / "data" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps(content, indent=2))

    def stop(self) -> None:
        """End it and all its descendants, including those that left its process group."""
        if self.process is None:
            return
        family = [*psutil.Process(self.process.pid).children(recursive=True)]
        os.killpg(self.process.pid, signal.SIGTERM)
        _, alive = psutil.wait_procs(family, timeout=5)
        for one in alive:
            one.kill()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()

    def _command(self, *options: str) -> list[str]:
        home = self.folder
        return [
            program(
                "POLLARD_CODE_SERVER",
                [str(editors_folder() / "app/node_modules/.bin/code-server"), "code-server"],
            ),
            f"--config={home / 'config.yaml'}",
            f"--user-data-dir={home / 'data'}",
            f"--extensions-dir={home / 'extensions'}",
            *options,
        ]

    def _run_options(self) -> list[str]:
        return [
            "--auth=none",
            f"--bind-addr=127.0.0.1:{self.port}",
            "--disable-telemetry",
            "--disable-update-check",
            "--disable-getting-started-override",
            "--reconnection-grace-time=3",
            *self.options,
        ]

    def _environment(self) -> dict[str, str]:
        node = program(
            "POLLARD_NODE",
            [
                str(editors_folder() / "node/node"),
                "node",
            ],
        )
        whole = {**os.environ, **self.environment, "POLLARD_PROBE": str(self.probes)}
        return whole | {"PATH": f"{Path(node).parent}{os.pathsep}{whole['PATH']}"}

    def _wait(self) -> None:
        assert self.process is not None
        stop = time.monotonic() + _START_SECONDS
        while time.monotonic() < stop:
            if self.process.poll() is not None:
                pytest.fail(f"code-server ended by itself: {self.log}", pytrace=False)
            try:
                with urllib.request.urlopen(f"{self.url}/healthz", timeout=2):
                    return
            except (urllib.error.URLError, OSError):
                time.sleep(0.1)
        pytest.fail(
            f"code-server did not answer in {_START_SECONDS:.0f} s: {self.log}", pytrace=False
        )


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _pack(folder: Path, vsix: Path) -> Path:
    """Make a .vsix of a folder with plain JavaScript: a zip file with a manifest."""
    package = json.loads((folder / "package.json").read_text())
    identity = (
        f'<Identity Id="{package["name"]}" Version="{package["version"]}" '
        f'Publisher="{package["publisher"]}" Language="en-US"/>'
    )
    manifest = (
        '<?xml version="1.0"?><PackageManifest Version="2.0.0" '
        'xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011"><Metadata>'
        f"{identity}<DisplayName>{package['displayName']}</DisplayName>"
        f"<Description>{package['description']}</Description><Properties>"
        '<Property Id="Microsoft.VisualStudio.Code.Engine" '
        f'Value="{package["engines"]["vscode"]}"/></Properties></Metadata>'
        '<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>'
        '<Dependencies/><Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" '
        'Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>'
    )
    types = (
        '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/'
        'content-types"><Default Extension=".json" ContentType="application/json"/>'
        '<Default Extension=".js" ContentType="application/javascript"/>'
        '<Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>'
    )
    with zipfile.ZipFile(vsix, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("extension.vsixmanifest", manifest)
        packed.writestr("[Content_Types].xml", types)
        for file in sorted(folder.iterdir()):
            packed.write(file, f"extension/{file.name}")
    return vsix
