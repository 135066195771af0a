"""Trust: what may run, what the user is asked, and what is remembered of the answer."""
