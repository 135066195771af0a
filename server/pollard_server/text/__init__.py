"""Texts as editors know them: versions, positions, edits and regions; nothing here talks to one."""
