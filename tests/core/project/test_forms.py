"""What takes the place of a line that names a file, where its content alone would not do."""

from __future__ import annotations

import pytest

from tests.core.project.support import merged

_SHEET = """<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
%s
</xsl:stylesheet>
"""


@pytest.mark.parametrize(
    ("files", "result"),
    [
        (
            {"a.pl": "use Shop::Part;\nf(1);\n", "lib/Shop/Part.pm": "package Shop::Part;\n1;\n"},
            "BEGIN {\npackage Shop::Part;\n1;\n}\nf(1);\n",
        ),
        (
            {
                "a.pl": "use Part qw(f);\nf();\n",
                "Part.pm": "package Part;\nuse Exporter;\n1;\n__END__\n=head1 Part\n",
            },
            "BEGIN {\npackage Part;\nuse Exporter;\n1;\n}\nBEGIN { Part->import( qw(f)) }\nf();\n",
        ),
        (
            {"a.pl": 'package B;\nuse parent "Part";\n', "Part.pm": "package Part;\n1;\n"},
            'package B;\nBEGIN {\npackage Part;\n1;\n}\nuse parent -norequire, "Part";\n',
        ),
        (
            {
                "a.xsl": _SHEET % '<xsl:include href="lib/part.xsl"/>',
                "lib/part.xsl": "<?xml version='1.0'?>\n<!-- Cells -->\n" + _SHEET % "<a/>",
            },
            _SHEET % "\n<a/>\n",
        ),
        (
            {
                "a.scss": '@use "lib/sizes" as s;\nb { margin: s.$small }\n',
                "lib/_sizes.scss": '@use "../units";\n$small: 1px;\n',
                "_units.scss": "$unit: 1px;\n",
            },
            '@use "./units";\n$small: 1px;\nb { margin: $small }\n',
        ),
        (
            {"a.lua": 'print(require("lib.part").size)\n', "lib/part.lua": "return {size = 1}\n"},
            "print((function()\nreturn {size = 1}\nend)().size)\n",
        ),
        (
            {"a.lua": 'require "lib"\nprint(1)\n', "lib/init.lua": "x = 1\n"},
            "local _ = (function()\nx = 1\nend)()\nprint(1)\n",
        ),
        (
            {"CMakeLists.txt": "add_subdirectory(lib)\n", "lib/CMakeLists.txt": "project(x)\n"},
            "project(x)\n",
        ),
    ],
    ids=[
        "Perl",
        "functions of Perl",
        "a base in Perl",
        "XSLT",
        "SCSS",
        "Lua",
        "a folder in Lua",
        "CMake",
    ],
)
def test_the_content_stands_where_the_line_was(files, result):
    main = next(iter(files))
    assert result in [tree.get(main) for tree in merged(files)]
