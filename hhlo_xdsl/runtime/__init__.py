"""Compiling text and running it on PJRT through jaxlib. Knows text and buffers, never IR."""
