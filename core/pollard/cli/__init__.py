"""The command line: one module per subcommand, and small ones for what they share."""
