"""The functions that people call on tensors, one file per family.

Names and meanings are those of the Python array API (https://data-apis.org/array-api) where it has the function.
Arguments are tensors, or what becomes a constant: numbers, arrays, nested lists of numbers. Shapes broadcast and
element types promote, by ops that are seen in the program. What does not fit raises ShapeError or DTypeError.
"""
