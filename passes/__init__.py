"""Passes over StableHLO modules: autodiff, the printer override, clean-ups."""
