"""What is in this package is said in its modules."""
