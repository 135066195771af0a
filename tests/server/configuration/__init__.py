"""The settings of documents, from files and editors, and what users are told of mistakes."""
