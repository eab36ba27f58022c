"""The functions that people call on tensors, one file per family."""
