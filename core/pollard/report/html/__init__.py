"""A report as one page of HTML that needs no network, and scripts only to step through the changes.

In reading order:

- `page`: the page, from its parts
- `sections`: facts, output, passes, other failures, files
- `charts`: the curves of the size, drawn by leather
- `coloured`: a text with syntax colours, by Pygments
- `comparison`: the differences to the original, with long parts folded
- `stepping`: the accepted steps, as data for the page's script
- `elements`: escaped text and tables

`style.css` and `stepping.js` go into the page as they are. The page's policy allows these two by their
hashes and nothing else, so nothing in a result can run.
"""
