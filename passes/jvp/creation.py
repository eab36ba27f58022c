"""Forward-mode rules of ops that make tensors from nothing: none is needed, for they read no tangents."""
